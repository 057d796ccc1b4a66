// Public, because the conformance of a public type is public, also in a program.
public import ArgumentParser
internal import CommandLineReports
public import Logging
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `serve`: runs the platform until SIGTERM or SIGINT.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the platform until SIGTERM or SIGINT.",
        discussion: """
            On the first start it makes the folder (mode 0700), the master key (mode 0600), the database and the \
            platform's keys. Keep a copy of the master key apart from the database: without it the data cannot be read.
            """)

    @OptionGroup var data: DataOption

    @Option(help: "The address to listen on, HOST:PORT. Port 0 takes a free one.")
    var listen: ListenAddress = .default

    @Option(help: "The tenant. It goes into every key, so it never changes for a folder.")
    var tenant: String?

    @Option(help: "The policy file. The documented default without it.")
    var policy: String?

    @Flag(help: "A proxy in front of the server appends the caller's address to X-Forwarded-For.")
    var behindProxy = false

    @Option(help: "The least level that is logged on standard error.")
    var logLevel: Logger.Level = .info

    mutating func run() async throws {
        // Before anything else, so that a signal during the start is not lost.
        let stop = StopSignal()
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: TrustedIdentityCommand.name)
        logger.logLevel = logLevel

        // Before the folder is made, so that a file with a problem leaves nothing behind.
        let policy = try policy.map(PolicyCommand.policy) ?? .default
        let folder = try DataFolder(path: data.path, mode: .makeIfMissing)
        try folder.checkSocketPath()
        let server = ServerConfiguration(host: listen.host, port: listen.port, isBehindProxy: behindProxy)
        let listen = listen
        try await folder.withInstallation(tenant: tenant, policy: policy, server: server, logger: logger) {
            installation in
            if !listen.isLoopback {
                logger.warning("listening beyond the loopback interface without TLS: put a proxy in front")
            }
            try await installation.serve(administrationSocket: folder.socketPath, until: stop) { port in
                StandardStream.output.print("listening on http://\(listen.withPort(port))")
            }
        }
    }
}

/// An address to listen on as an argument: `HOST:PORT`, with an IPv6 address in brackets.
struct ListenAddress: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let host: String
    let port: Int

    static let `default` = ListenAddress(host: "127.0.0.1", port: 8080)

    private init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }

    /// Whether only this machine can connect.
    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    var description: String { withPort(port) }

    /// Returns the address with another port, which the system has chosen.
    func withPort(_ port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
