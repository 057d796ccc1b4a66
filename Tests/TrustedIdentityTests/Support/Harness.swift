import Crypto
import Logging
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// A platform on a database of its own with a manual clock, and the actions of an application server.
struct Harness {
    static let alice = "alice@master"

    let store: any SQLDatabase
    let time: ManualTimeSource
    let random: SeededRandomSource
    let configuration: PlatformConfiguration
    let masterKey: MasterKey
    let platform: Platform
    private let folder: TemporaryFolder?

    init(
        _ configuration: PlatformConfiguration = .init(postQuantum: .off, requestsPerDevice: 6_000),
        store: (any SQLDatabase)? = nil, on other: (any SQLDatabase)? = nil,
        masterKey: MasterKey? = nil, otherMasterKeys: [MasterKey] = [],
        gateways: [String: any NotificationGateway] = [:], events: (any EventGateway)? = nil,
        time: ManualTimeSource = ManualTimeSource(), answerInterval: Duration = .zero,
        random: SeededRandomSource = SeededRandomSource(seed: 1),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        var configuration = configuration
        configuration.passwordHash = .testing
        configuration.answerInterval = answerInterval
        self.configuration = configuration
        if let store {
            (self.store, folder) = (store, nil)
        } else {
            (self.store, folder) = try await TestDatabase.make()
        }
        self.time = time
        self.random = random
        self.masterKey =
            try masterKey ?? MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        platform = try await Platform(
            configuration: configuration, database: other ?? self.store, masterKey: self.masterKey,
            otherMasterKeys: otherMasterKeys, gateways: gateways, events: events, time: time, random: random,
            logger: logger)
    }

    /// Returns a platform that was started again on the same store, or on a backup of it.
    func restarted(
        on store: (any SQLDatabase)? = nil, events: (any EventGateway)? = nil
    ) async throws -> Harness {
        try await Harness(
            configuration, store: store ?? self.store, events: events, time: time, random: random)
    }

    /// Returns a platform that was started again on another store, such as one that passes calls on to this one.
    func platform(
        on store: any SQLDatabase, logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> Platform {
        try await Platform(
            configuration: configuration, database: store, masterKey: masterKey, time: time, random: random,
            logger: logger)
    }

    /// Returns a database in memory with the present rows. A test that needs one is canceled on PostgreSQL.
    func snapshot() throws -> SQLiteDatabase {
        guard let database = store as? SQLiteDatabase else { try Test.cancel("only SQLite copies its rows to memory") }
        return database.snapshot()
    }

    static func account(_ user: String = alice) throws -> AccountName {
        try AccountName(text: user, defaultDomain: "master")
    }

    /// Registers a user and returns the activation password.
    func register(_ user: String = alice, staticPassword: String? = nil) async throws -> String {
        try await platform.register(.init(account: Self.account(user), staticPassword: staticPassword))
            .activationPassword
    }

    /// Registers a user and activates a device.
    func activate(
        _ user: String = alice, suites: [Suite] = [.classic], registersNotifications: Bool = true
    ) async throws -> Authenticator {
        let pending = try await Authenticator.exchangeKeys(
            user, code: try await register(user), suites: suites, with: self)
        try await pending.complete(with: self, registersNotifications: registersNotifications)
        return pending
    }

    func status(_ user: String = alice, seconds: Int = 0) async throws -> ActivationStatus {
        try await platform.activationStatus(of: Self.account(user), timeout: .seconds(seconds))
    }

    func login(
        _ code: String, _ user: String = alice, application: CryptoApplicationIndex = .app1, source: String? = nil
    ) async throws -> LoginDecision {
        try await platform.login(
            LoginRequest(
                account: Self.account(user), credential: .oneTimePassword(code, application: application),
                source: source))
    }

    /// Removes the rows whose time is over, as the maintenance does.
    func sweep() async throws { try await platform.sweep(now: time.now()) }

    func device(_ authenticator: Authenticator) async throws -> DeviceRecord? {
        try await store.read { [id = authenticator.id] in try $0.device(id) }
    }

    func events(_ event: AuditEvent) async throws -> [AuditEntry] {
        try await platform.audit(limit: 1_000).filter { $0.event == event }
    }
}
