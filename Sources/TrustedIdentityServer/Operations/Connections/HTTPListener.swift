internal import CLibrary
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization
internal import TrustedIdentity

/// A listener for HTTP/1.1, with TLS if its configuration names a certificate, and with the limits of connections and
/// requests.
struct HTTPListener: Sendable {
    private let configuration: ServerConfiguration
    private let certificate: ServerCertificate?
    private let logger: Logger

    init(_ configuration: ServerConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        certificate = configuration.tls.isUsed ? ServerCertificate(configuration.tls) : nil
    }

    /// Reads the files of TLS again, and uses them for connections from now on. Without TLS, it does nothing.
    ///
    /// - Throws: ``ServerError`` with `unusableCertificate`. The certificate that was in use stays in use.
    func reloadCertificate() throws {
        do {
            try certificate?.load()
        } catch {
            throw ServerError(.unusableCertificate, underlying: error)
        }
    }

    /// Serves until its service group shuts down, or its task is canceled.
    ///
    /// - Parameters:
    ///   - router: The routes.
    ///   - name: The message of the log line when connections are accepted.
    ///   - onListening: Called once, with the port, when connections are accepted.
    /// - Throws: ``ServerError`` when the address cannot be listened on, or the certificate cannot be used.
    func serve(
        _ router: Router<ServerContext>, logging name: Logger.Message,
        onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        try reloadCertificate()
        let isListening = Atomic(false)
        let limits = configuration.limits
        let deadlines = RequestDeadlines(timeout: limits.requestTimeout)
        let application = Application(
            responder: DeadlineResponder(base: router.buildResponder(), deadlines: deadlines),
            server: HTTPServerBuilder { [certificate, configuration] responder in
                ServerChannel(
                    http: HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            additionalChannelHandlers: [
                                BodyDeadline(limits.bodyTimeout), AnswerDeadline(limits.idleTimeout),
                            ],
                            idleTimeout: TimeAmount(limits.idleTimeout),
                            httpDecoderConfiguration: .init(
                                maxHeaderFieldSize: limits.headerFieldBytes, maxHeaderListSize: limits.headerBytes,
                                maxHeaderFieldCount: limits.headerFields))),
                    certificate: certificate, connections: OpenConnections(limits, configuration.proxies))
            },
            configuration: .init(address: .hostname(configuration.host, port: configuration.port)),
            onServerRunning: { [configuration, logger] channel in
                isListening.store(true, ordering: .releasing)
                deadlines.begin(with: channel)
                let port = channel.localAddress?.port ?? configuration.port
                logger.info(name, metadata: ["http.host": "\(configuration.host)", "http.port": "\(port)"])
                await onListening(port)
            },
            logger: logger.quiet)
        do {
            try await Self.run(application, logger: logger.quiet)
        } catch  where !isListening.load(ordering: .acquiring) && !(error is CancellationError) {
            throw ServerError(
                .cannotListen,
                underlying: ListenError(error, at: ListenAddress(host: configuration.host, port: configuration.port)))
        }
    }

    /// Runs an application until its service group shuts down, or its task is canceled, which shuts it down in the same
    /// way.
    ///
    /// An application whose task is canceled drops the connections that it has accepted and not begun to serve, and
    /// SwiftNIO ends the process for each of them. A graceful shutdown closes the listener first.
    static func run(_ application: some Service, logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: configuration)
        let running = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
        try Task.checkCancellation()
    }
}

/// The reason why an address cannot be listened on.
struct ListenError: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error, at address: ListenAddress) {
        description =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE: "another program listens on \(address)"
            case EADDRNOTAVAIL: "\(address.host) is not an address of this machine"
            case EACCES: "this user may not listen on port \(address.port)"
            case let number?: "\(address): \(SystemCall.message(of: number))"
            case nil where error is SocketAddressError.UnknownHost: "the name \(address.host) has no address"
            case nil: "\(address)"
            }
    }
}
