public import Logging
public import Primitives
public import ServiceLifecycle
public import TrustedIdentity

/// The listener for the machines and the staff of the operator: health with its reasons, metrics, and administration.
///
/// It is separate from the REST API, because a network that reaches one of them need not reach the other. Everything
/// but `GET /health/live` and `GET /health/ready` requires an API key of the scope `admin`. Let it listen on the
/// loopback interface, or give it a certificate, because an API key has no other protection.
public struct ManagementServer: Service {
    private let routes: AdministrationRoutes
    private let listener: HTTPListener
    private let onListening: @Sendable (Int) async -> Void

    /// Creates a server for a platform.
    ///
    /// - Parameters:
    ///   - platform: The platform that answers requests.
    ///   - configuration: The address and the rules of this server.
    ///   - time: The clock for the timestamps of errors.
    ///   - random: The source of correlation ids.
    ///   - logger: The logger for one line when the server listens, and for internal errors. No line holds a name, a
    ///     secret or a body.
    ///   - onListening: Called once, with the port, when connections are accepted.
    public init(
        platform: Platform,
        configuration: ServerConfiguration,
        time: any TimeSource = SystemTimeSource(),
        random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        routes = AdministrationRoutes(
            base: Handlers(platform: platform, configuration: configuration, random: random, time: time))
        listener = HTTPListener(configuration, logger: logger)
        self.onListening = onListening
    }

    /// Serves until the group it runs in shuts down, or its task is canceled.
    ///
    /// It then closes the listener, and waits at most five seconds for the requests in progress.
    ///
    /// - Throws: ``ServerError`` when the address cannot be listened on, or the certificate cannot be used;
    ///   `CancellationError` when the task was canceled.
    public func run() async throws {
        do {
            try await listener.serve(
                routes.router(for: .apiKeys), logging: "listening for management", onListening: onListening)
        } catch let error as ServerError where error.code == .cannotListen {
            throw ServerError(.cannotListenForManagement, underlying: error.underlying)
        }
    }

    /// Reads the files of TLS again, and uses them for connections from now on. Without TLS, it does nothing.
    ///
    /// - Throws: ``ServerError`` with `unusableCertificate`. The certificate that was in use stays in use.
    public func reloadCertificate() throws { try listener.reloadCertificate() }
}
