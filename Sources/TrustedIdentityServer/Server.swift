internal import Hummingbird
public import Logging
public import Primitives
public import ServiceLifecycle
internal import Synchronization
public import TrustedIdentity

/// The REST API of a platform over HTTP/1.1.
///
/// Run it in a `ServiceGroup`, which stops it cleanly (open long polls are answered with 503), or in a task of your own
/// that you cancel. It speaks plain HTTP: put a proxy that terminates TLS in front when it listens on more than the
/// loopback interface, because API keys and activation passwords have no other protection.
public struct Server: Service {
    private let configuration: ServerConfiguration
    private let handlers: Handlers
    private let time: any TimeSource
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// Puts a server in front of a platform.
    ///
    /// - Parameters:
    ///   - platform: what answers.
    ///   - configuration: where and how to listen.
    ///   - time: dates errors.
    ///   - random: makes correlation and request ids.
    ///   - logger: gets one line when it listens, and what fails inside; never a name, a secret or a body.
    ///   - onListening: called once, with the port, when connections are accepted.
    public init(
        platform: Platform,
        configuration: ServerConfiguration = .init(),
        time: any TimeSource = SystemTimeSource(),
        random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.time = time
        self.logger = logger
        self.onListening = onListening
        handlers = Handlers(platform: platform, configuration: configuration, random: random)
    }

    /// Serves until the group it runs in shuts down, or its task is canceled.
    ///
    /// - Throws: ``ServerError`` when the address cannot be listened on.
    public func run() async throws {
        let isListening = Atomic(false)
        let application = Application(
            router: handlers.router(time: time),
            server: .http1(
                configuration: .init(
                    // A caller that opens a connection and says nothing, or half of something, does not keep it.
                    idleTimeout: .seconds(60),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))),
            configuration: .init(address: .hostname(configuration.host, port: configuration.port)),
            onServerRunning: { [onListening, configuration, logger] channel in
                isListening.store(true, ordering: .releasing)
                let port = channel.localAddress?.port ?? configuration.port
                logger.info("Listening", metadata: ["http.host": "\(configuration.host)", "http.port": "\(port)"])
                await onListening(port)
            },
            logger: logger.quiet)
        do {
            try await application.run()
        } catch  where !isListening.load(ordering: .acquiring) && !(error is CancellationError) {
            throw ServerError(.cannotListen, underlying: error)
        }
    }
}

extension Logger {
    /// For the framework, which says more at `info` than there is to know.
    var quiet: Logger {
        var quiet = self
        if quiet.logLevel == .info { quiet.logLevel = .notice }
        return quiet
    }
}
