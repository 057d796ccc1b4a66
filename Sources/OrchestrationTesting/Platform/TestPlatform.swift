internal import Primitives
internal import Synchronization
public import TrustedIdentity

/// A platform in the process of a test: the real one, on a database in memory, with a clock and randomness that the test
/// controls.
///
/// ```swift
/// let platform = try await TestPlatform()
/// let activationPassword = try await platform.register("alice")
/// let device = try TestDevice(seed: 1, time: platform.time)
/// let orchestrator = try await device.orchestrator(
///     transport: platform.transport, user: ScriptedUser(password: "482915"))
/// ```
///
/// It also requests approvals, as an application server does:
///
/// ```swift
/// let report = try await platform.requestLogin("alice")
/// for try await request in orchestrator.user("alice").approvalRequests() { … }
/// let decision = try await platform.approval(report).status
/// ```
public final class TestPlatform: Sendable {
    /// The platform's clock.
    public let time: ManualTimeSource

    /// The store, which outlives ``restart(configuration:)``.
    public let store: SQLiteDatabase

    /// Whether the site of the application server shows numbers, which users type in the app.
    public let showsNumbers: Bool

    private let configuration: PlatformConfiguration
    private let masterKey: MasterKey
    private let random: SeededRandomSource
    private let running: Mutex<Platform>
    private let streams = InProcessStreams()

    /// Starts a platform on an empty store.
    ///
    /// - Parameters:
    ///   - seed: The seed of its keys, activation passwords and ids.
    ///   - configuration: The configuration. Static passwords are hashed at a cost for tests.
    ///   - policy: The policy, instead of the configuration's policy.
    ///   - showsNumbers: Whether the site of the application server shows numbers, which users type in the app.
    ///   - time: The clock.
    public init(
        seed: UInt64 = 1, configuration: PlatformConfiguration = PlatformConfiguration(), policy: Policy? = nil,
        showsNumbers: Bool = false, time: ManualTimeSource = ManualTimeSource()
    ) async throws {
        var configuration = configuration
        configuration.passwordHash = .testing
        // The clock does not move, and a refusal would wait for a tick.
        configuration.answerInterval = .zero
        if let policy { configuration.policy = policy }
        self.showsNumbers = showsNumbers
        self.configuration = configuration
        self.time = time
        random = SeededRandomSource(seed: seed)
        store = SQLiteDatabase.inMemory()
        masterKey = try MasterKey.make(id: "test", random: random)
        running = Mutex(
            try await Platform(
                configuration: configuration, database: store, masterKey: masterKey, time: time, random: random))
    }

    /// The running platform.
    public var platform: Platform { running.withLock { $0 } }

    /// A transport to the platform that is running at the time of each command.
    public var transport: InProcessTransport { InProcessTransport(to: { self.platform }, streams: streams) }

    /// Replaces the platform with a new one on the same store. State in memory is lost, and open streams of
    /// notifications break.
    ///
    /// - Parameter changed: The configuration of the new platform, up to the next restart; without it, the
    ///   configuration of ``init(seed:configuration:policy:showsNumbers:time:)``.
    public func restart(configuration changed: PlatformConfiguration? = nil) async throws {
        var configuration = changed ?? self.configuration
        configuration.passwordHash = .testing
        // The clock does not move, and a refusal would wait for a tick.
        configuration.answerInterval = .zero
        let fresh = try await Platform(
            configuration: configuration, database: store, masterKey: masterKey, time: time, random: random)
        running.withLock { $0 = fresh }
        streams.breakAll()
    }

    /// Replaces keys of the platform, as an administrator does.
    ///
    /// - Parameters:
    ///   - use: The keys to replace.
    ///   - delay: The time until the new keys are in use.
    /// - Throws: `PlatformError` with `keyAnnounced` while a key has a successor that is not in use yet.
    public func rotateKeys(_ use: PlatformKeyUse = .all, startingIn delay: Duration = .zero) async throws {
        try await platform.rotateKeys(use, startingIn: delay)
    }

    /// Registers a user, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`; the domain is `master` by default.
    ///   - staticPassword: A password that also logs the user in.
    /// - Returns: The activation password.
    public func register(_ user: String, staticPassword: String? = nil) async throws -> String {
        let account = try AccountName(text: user, defaultDomain: "master")
        return try await platform.register(Registration(account: account, staticPassword: staticPassword))
            .activationPassword
    }

    /// Issues an unlock code for the locked device of a user, or for the only device, as the application server does.
    ///
    /// - Parameter user: The user id, or `user@domain`; the domain is `master` by default.
    /// - Returns: The unlock code.
    public func issueUnlockCode(_ user: String) async throws -> String {
        try await platform.issueUnlockCode(for: AccountName(text: user, defaultDomain: "master")).code
    }

    /// Logs a user in with a one-time password, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - code: The code that the user typed.
    ///   - application: The index of the crypto application that made the code.
    ///   - source: The identifier of the browser at the application server.
    public func login(
        _ user: String, code: String, application: CryptoApplicationIndex = .app1, source: String? = nil
    ) async throws -> LoginDecision {
        let account = try AccountName(text: user, defaultDomain: "master")
        return try await platform.login(
            LoginRequest(
                account: account, credential: .oneTimePassword(code, application: application), source: source))
    }

    /// Makes a challenge for a login of a user, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - length: The number of digits, 4 to 16.
    ///   - checkDigit: Whether the last digit is a check digit.
    public func challenge(for user: String, length: Int = 8, checkDigit: Bool = false) async throws -> LoginChallenge {
        try await platform.generateChallenge(
            for: AccountName(text: user, defaultDomain: "master"), length: length, checkDigit: checkDigit)
    }

    /// Logs a user in with a code over a challenge, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - code: The code that the user typed.
    ///   - requestID: The request id of the challenge.
    ///   - source: The identifier of the browser at the application server.
    public func login(
        _ user: String, code: String, requestID: String, source: String? = nil
    ) async throws -> LoginDecision {
        let account = try AccountName(text: user, defaultDomain: "master")
        return try await platform.login(
            LoginRequest(
                account: account, credential: .challengeResponse(code, requestID: requestID), source: source))
    }

    /// Verifies the signature of a local transaction, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - fields: The fields that were signed.
    ///   - signature: The signature that the user typed.
    ///   - source: The identifier of the browser at the application server.
    public func validate(
        _ user: String, fields: [DataField], signature: String, source: String? = nil
    ) async throws -> LoginDecision {
        let account = try AccountName(text: user, defaultDomain: "master")
        return try await platform.validate(
            LocalTransaction(account: account, fields: fields, signature: signature, source: source))
    }

    /// Verifies a seal that was made without a network, as the application server does.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - data: The data that was sealed, as the application server names it.
    ///   - seal: The seal that the user typed.
    ///   - source: The identifier of the browser at the application server.
    public func validate(
        _ user: String, sealed data: LocalSeal.Data, seal: String, source: String? = nil
    ) async throws -> LoginDecision {
        let account = try AccountName(text: user, defaultDomain: "master")
        return try await platform.validate(LocalSeal(account: account, data: data, seal: seal, source: source))
    }
}
