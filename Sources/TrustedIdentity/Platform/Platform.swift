public import Logging
public import Primitives

/// A platform that registers users, activates their devices and decides logins.
///
/// One platform serves one tenant over one store, and any number of tasks may call it. It keeps no state that decisions
/// depend on: each decision reads rows and writes them with compare-and-set, and when a row changed meanwhile, the
/// decision is made again. Several processes may open a platform over one database that they share. A call that waits
/// then returns after a change that any of them makes: see ``DatabasePeers``. The limits on requests and on waiting
/// calls apply to one process.
///
/// Run a ``Maintenance`` in each process. It removes what has expired, and loads the keys that another process has
/// replaced.
///
/// Every method throws ``PlatformError`` or `CancellationError`. A method that needs the row of an account, a device or
/// an API key throws `alteredRow` when the row was changed outside of the platform; a login and
/// ``authenticate(apiKey:)`` refuse the credential instead.
public final class Platform: Sendable {
    let configuration: PlatformConfiguration
    let currentPolicy: CurrentPolicy
    let store: Store
    let dataKeys: DataKeys
    let masterKeyIDs: MasterKeyIDs
    let sealer: RowSealer
    let keyRing: PlatformKeyRing
    let decoys: Decoys
    let hasher: PasswordHasher
    let watch: ChangeWatch
    let streams: OpenStreams
    let gateways: NotificationGateways
    let eventGateway: (any EventGateway)?
    let limiter: RequestLimiter
    let keyErasure: KeyErasure
    let revocationCheck: RevocationCheck
    let metrics = PlatformMetrics()
    let time: any TimeSource
    let random: any RandomSource
    let logger: Logger

    var hashes: KeyedHashes { dataKeys.hashes }

    /// Opens a platform. In a new store it creates the keys of the platform first.
    ///
    /// - Parameters:
    ///   - configuration: The configuration. Its tenant must be the database's tenant.
    ///   - database: The database of all rows.
    ///   - masterKey: The key that wraps the keys of the store. Without it, every device is lost.
    ///   - otherMasterKeys: Further keys that the store may need: after an interrupted replacement of the master key,
    ///     the new one or the previous one. The store names the one that it needs.
    ///   - gateways: The gateways that wake devices for approval requests, by the scheme of the notification
    ///     identifiers: 1 to 32 of the characters a–z, 0–9 and `-`, not `pull`. ``deliverNotifications()`` uses them.
    ///   - events: The gateway that takes the events of accounts and devices. ``deliverEvents()`` uses it. With one,
    ///     the platform records events; see also ``PlatformConfiguration/recordsEvents``.
    ///   - time: The clock for every expiry.
    ///   - random: The source of keys and codes. Replace it in tests only.
    ///   - logger: A logger for constant messages without names and secrets: at `debug`, at `error` when the store
    ///     fails or a row was changed outside of the platform, at `warning` when a receiver or a push service takes
    ///     nothing, and at `notice` when it takes something again and when a suspended API key is used.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a configuration or a scheme outside its limits,
    ///   `wrongTenant`, `wrongMasterKey`, `storeFailed`, `alteredRow` when the row about the platform
    ///   was changed or removed.
    public init(
        configuration: PlatformConfiguration = .init(),
        database: any SQLDatabase,
        masterKey: MasterKey,
        otherMasterKeys: [MasterKey] = [],
        gateways: [String: any NotificationGateway] = [:],
        events: (any EventGateway)? = nil,
        time: any TimeSource = SystemTimeSource(),
        random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        guard configuration.isValid else { throw PlatformError(.malformedRequest) }
        let store = Store(database, time: time, logger: logger)
        let dataKeys = try await DataKeys.open(
            store, tenant: configuration.tenant, masterKeys: [masterKey] + otherMasterKeys, random: random,
            now: time.now())
        let sealer = RowSealer(tenant: configuration.tenant, keys: dataKeys, random: random)
        let authenticator = RowAuthenticator(tenant: configuration.tenant, keys: dataKeys)
        self.dataKeys = dataKeys
        masterKeyIDs = MasterKeyIDs(([masterKey] + otherMasterKeys).map(\.id))
        self.gateways = try NotificationGateways(gateways)
        eventGateway = events
        self.configuration = configuration
        currentPolicy = CurrentPolicy(configuration.policy)
        let outbox =
            configuration.recordsEvents || events != nil
            ? EventOutbox(limit: configuration.waitingEvents, metrics: metrics) : nil
        self.store = store.opened(authenticator, random: random, outbox: outbox)
        self.sealer = sealer
        self.time = time
        self.random = random
        self.logger = logger
        let keys = try await PlatformKeys.load(
            from: self.store, sealer: sealer, random: random, now: time.now())
        keyRing = PlatformKeyRing(keys)
        decoys = try await PlatformError.mapping { try Decoys(sealer: sealer, random: random) }
        hasher = PasswordHasher(cost: configuration.passwordHash)
        limiter = RequestLimiter(configuration)
        watch = ChangeWatch(limit: configuration.waitingCalls, peers: database.peers, key: dataKeys.topics)
        streams = OpenStreams(
            limit: configuration.openStreams, limitOfAddress: configuration.openStreamsPerAddress)
        keyErasure = KeyErasure()
        revocationCheck = RevocationCheck()
        // A failure keeps the platform from being ready. It does not keep the platform from being opened.
        do {
            try await revocationCheck.run(on: self.store)
        } catch let error as CancellationError {
            throw error
        } catch {}
        do {
            try await reportAuditShortfall()
        } catch let error as CancellationError {
            throw error
        } catch {}
    }

    /// Returns the same platform for one caller: the entries of the audit log that its methods append name the origin.
    ///
    /// Both share everything else: the store, the keys, the limits, and the waiting calls. The result is small. Create
    /// one for each request. A platform that an initializer has created acts for ``AuditOrigin/platform``.
    ///
    /// - Parameter origin: The party that the caller has proven to be, and the place that it calls from.
    public func acting(for origin: AuditOrigin) -> Platform { Platform(self, origin: origin) }

    private init(_ platform: Platform, origin: AuditOrigin) {
        var store = platform.store
        store.origin = origin
        self.store = store
        configuration = platform.configuration
        currentPolicy = platform.currentPolicy
        dataKeys = platform.dataKeys
        masterKeyIDs = platform.masterKeyIDs
        sealer = platform.sealer
        keyRing = platform.keyRing
        decoys = platform.decoys
        hasher = platform.hasher
        watch = platform.watch
        streams = platform.streams
        gateways = platform.gateways
        eventGateway = platform.eventGateway
        limiter = platform.limiter
        keyErasure = platform.keyErasure
        revocationCheck = platform.revocationCheck
        time = platform.time
        random = platform.random
        logger = platform.logger
    }
}
