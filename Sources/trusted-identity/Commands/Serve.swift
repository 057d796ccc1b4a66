internal import ArgumentParser
internal import Logging
internal import ServiceLifecycle
internal import TrustedIdentity
internal import TrustedIdentitySQLite
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

    @Flag(help: "A proxy stands in front and appends the caller's address to X-Forwarded-For.")
    var behindProxy = false

    @Option(
        help: "How much is logged on standard error: trace, debug, info, notice, warning, error or critical.",
        transform: Choice.of)
    var logLevel: Logger.Level = .info

    mutating func run() async throws {
        let stop = StopSignal()
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: Failure.program)
        logger.logLevel = logLevel

        let folder = try DataFolder(path: data.path, mode: .makeIfMissing)
        try folder.checkSocketPath()
        let opened = try await folder.open(tenant: tenant, logger: logger)
        if !listen.isLoopback {
            logger.warning("Listening beyond the loopback interface without TLS: put a proxy in front")
        }
        let server = Server(
            platform: opened.platform,
            configuration: ServerConfiguration(host: listen.host, port: listen.port, isBehindProxy: behindProxy),
            logger: logger,
            onListening: { [listen] port in Output.line("listening on http://\(listen.withPort(port))") })
        let administration = AdministrationServer(
            platform: opened.platform, socket: folder.socketPath, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: administration), .init(service: server),
                .init(service: stop, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            logger: logger)
        // Long polls end at once; this is for a caller who takes forever to send or to read.
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: configuration).run()
        try await opened.store.close()
    }
}
