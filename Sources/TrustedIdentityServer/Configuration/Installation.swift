package import Logging
package import Primitives
package import ServiceLifecycle
package import TrustedIdentity

/// A platform with its store, its keys and its servers.
///
/// This is the composition root: the program, its administration and the tests all put a platform together here, so the
/// REST API and the administration agree on the clock, the randomness, the logger and the default domain.
package struct Installation: Sendable {
    package let platform: Platform

    private let configuration: ServerConfiguration
    private let management: ListenAddress?
    private let nextMasterKey: @Sendable () -> MasterKey?
    private let time: any TimeSource
    private let random: any RandomSource
    private let logger: Logger

    /// Opens the platform on a store. On a new store, the platform first creates its keys.
    ///
    /// - Parameters:
    ///   - configuration: The configuration. Its tenant must be the store's. The caller has opened the store, and read
    ///     the keys and the policy file.
    ///   - store: The rows of the platform. The caller closes it after the last use of the installation.
    ///   - masterKey: The key that wraps the keys of the store.
    ///   - otherMasterKeys: Further keys that the store may need.
    ///   - nextMasterKey: A closure that reads the key that replaces the master key.
    ///   - gateways: The gateways of notifications, by the scheme of the notification identifiers.
    ///   - events: The gateway of events. Without it, events are recorded when the configuration names a webhook, and
    ///     another process delivers them.
    ///   - time: The clock of the platform and of its servers.
    ///   - random: The source of keys, codes and ids. Any source other than the system's is for tests.
    ///   - logger: The logger of the platform and of its servers.
    /// - Throws: ``PlatformError``, as the initializer of ``Platform`` does.
    package init(
        configuration: InstallationConfiguration = .init(),
        store: any SQLDatabase,
        masterKey: MasterKey,
        otherMasterKeys: [MasterKey] = [],
        nextMasterKey: @escaping @Sendable () -> MasterKey? = { nil },
        gateways: [String: any NotificationGateway] = [:],
        events: (any EventGateway)? = nil,
        time: any TimeSource = SystemTimeSource(),
        random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        var platform = configuration.platform
        platform.recordsEvents = configuration.events.url != nil
        self.platform = try await Platform(
            configuration: platform, database: store, masterKey: masterKey,
            otherMasterKeys: otherMasterKeys, gateways: gateways, events: events, time: time, random: random,
            logger: logger)
        self.configuration = configuration.server
        management = configuration.management
        self.nextMasterKey = nextMasterKey
        self.time = time
        self.random = random
        self.logger = logger
    }

    /// The administration routes of this installation.
    var administration: AdministrationRoutes {
        AdministrationRoutes(
            base: Handlers(platform: platform, configuration: configuration, random: random, time: time),
            nextMasterKey: nextMasterKey)
    }

    /// The REST API of this installation.
    package func server(onListening: @escaping @Sendable (Int) async -> Void = { _ in }) -> Server {
        Server(
            platform: platform, configuration: configuration, time: time, random: random, logger: logger,
            onListening: onListening)
    }

    /// The management listener of this installation, if it has one.
    package func managementServer(
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> ManagementServer? {
        guard let management else { return nil }
        var configuration = configuration
        (configuration.host, configuration.port) = (management.host, management.port)
        return ManagementServer(
            platform: platform, configuration: configuration, time: time, random: random, logger: logger,
            onListening: onListening)
    }

    /// Serves the REST API, the administration and the management listener, and delivers notifications, until the
    /// `stop` service ends, which waits for the signal to stop.
    ///
    /// - Parameters:
    ///   - socket: The path of the socket for administration. A file at that path is replaced, so the caller must hold
    ///     the lock of the data.
    ///   - stop: The service whose end stops the servers.
    ///   - reloads: An element for each time that the policy and the certificate are read again.
    ///   - readPolicy: Reads the policy; `nil` for a configuration without a policy file.
    ///   - onListening: Called once, with the port, when the REST API accepts connections.
    /// - Throws: ``ServerError`` when the address cannot be listened on, or the certificate cannot be used.
    package func serve(
        administrationSocket socket: String, until stop: any Service, reloads: AsyncStream<Void>,
        readPolicy: (@Sendable () throws(ConfiguredFileError) -> PolicyText)? = nil,
        onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let administration = AdministrationServer(administration, socket: socket, logger: logger)
        let server = server(onListening: onListening)
        let management = managementServer()
        let reloadCertificate: @Sendable () throws -> Void = {
            try server.reloadCertificate()
            try management?.reloadCertificate()
        }
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: administration), .init(service: server),
                .init(service: MaintenanceService(platform)),
                .init(
                    service: FileReload(
                        platform: platform, readPolicy: readPolicy,
                        reloadCertificate: configuration.tls.isUsed ? reloadCertificate : nil, reloads: reloads,
                        logger: logger)),
                // Both end at once. Devices get the requests from their streams and lists, and the events wait in the
                // store.
                .init(service: PlatformTask(description: "push deliveries") { await platform.deliverNotifications() }),
                .init(service: PlatformTask(description: "event deliveries") { await platform.deliverEvents() }),
                .init(service: stop, successTerminationBehavior: .gracefullyShutdownGroup),
            ] + (management.map { [.init(service: $0)] } ?? []),
            logger: logger.quiet)
        // Long polls end at once. The limit is for callers that send or read very slowly.
        group.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }
}

/// The service that does a task of the platform. It cancels the task at once when the servers stop.
private struct PlatformTask: Service, CustomStringConvertible {
    /// The name in messages about the end of services.
    let description: String
    let body: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown(body)
    }
}
