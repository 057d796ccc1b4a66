public import Logging
public import Primitives
public import ServiceLifecycle
public import TrustedIdentity

/// The REST API of a platform over HTTP/1.1.
///
/// Run it in a `ServiceGroup`, which stops it cleanly (open long polls are answered with 503), in a task that you
/// cancel, or with ``run(while:)``. Without a certificate in its configuration, the server speaks plain HTTP. When it
/// then listens on more than the loopback interface, put a proxy that terminates TLS in front of it, because API keys
/// and activation passwords have no other protection.
public struct Server: Service {
    private let handlers: Handlers
    private let listener: HTTPListener
    private let onListening: @Sendable (Int) async -> Void

    /// Creates a server for a platform.
    ///
    /// - Parameters:
    ///   - platform: The platform that answers requests.
    ///   - configuration: The address and the rules of the server.
    ///   - time: The clock for the timestamps of errors.
    ///   - random: The source of correlation and request ids.
    ///   - logger: The logger for one line when the server listens, and for internal errors. No line holds a name, a
    ///     secret or a body.
    ///   - onListening: Called once, with the port, when connections are accepted.
    public init(
        platform: Platform,
        configuration: ServerConfiguration = .init(),
        time: any TimeSource = SystemTimeSource(),
        random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.onListening = onListening
        listener = HTTPListener(configuration, logger: logger)
        handlers = Handlers(platform: platform, configuration: configuration, random: random, time: time)
    }

    /// Serves until the group it runs in shuts down, or its task is canceled.
    ///
    /// It then closes the listener, and waits at most five seconds for the requests in progress.
    ///
    /// - Throws: ``ServerError`` when the address cannot be listened on, or the certificate cannot be used;
    ///   `CancellationError` when the task was canceled.
    public func run() async throws {
        try await serve(onListening: onListening)
    }

    /// Serves while the body runs, and stops when it returns or throws.
    ///
    /// - Parameter body: Called with the port when connections are accepted.
    /// - Returns: The result of the body.
    /// - Throws: ``ServerError`` when the address cannot be listened on or the certificate cannot be used, and the
    ///   error of the body.
    public func run<Result: Sendable>(while body: (_ port: Int) async throws -> Result) async throws -> Result {
        let (ports, listening) = AsyncStream<Int>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                defer { listening.finish() }
                try await serve { port in
                    listening.yield(port)
                    await onListening(port)
                }
            }
            for await port in ports {
                let result = try await body(port)
                group.cancelAll()
                // A canceled server ends with an error. The result takes precedence.
                while await group.nextResult() != nil {}
                return result
            }
            try await group.waitForAll()
            throw CancellationError()
        }
    }

    /// Reads the files of TLS again, and uses them for connections from now on. Without TLS, it does nothing.
    ///
    /// - Throws: ``ServerError`` with `unusableCertificate`. The certificate that was in use stays in use.
    public func reloadCertificate() throws { try listener.reloadCertificate() }

    private func serve(onListening: @escaping @Sendable (Int) async -> Void) async throws {
        try await listener.serve(handlers.router(), logging: "listening", onListening: onListening)
    }
}
