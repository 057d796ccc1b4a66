import Crypto
import Logging
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport

@testable import Orchestration
@testable import TrustedIdentity

/// One user, one device and one platform, with the faults between them.
final class WalkWorld: Sendable {
    static let password = "482915"
    static let start = Timestamp(secondsSinceEpoch: 1_767_225_600)

    let seed: UInt64
    let chance: Chance
    let trace = WalkTrace()
    let tally: WalkTally
    let account: AccountName
    let time: ManualTimeSource
    let deviceTime: SkewedTimeSource
    let clientStore: FragileStore<MemoryStore>
    let deviceKeys: CachingDeviceKeys
    let platformStore: FragileDatabase
    let network: WalkNetwork
    let ledger: TryLedger
    let user: WalkUser
    let isHybrid: Bool
    private let policy: Policy
    private let sendsDeviceData: Bool
    private let recordsEvents: Bool
    private let recorder: TranscriptRecorder?
    private let random: SeededRandom
    private let masterKey: MasterKey
    private let running: Mutex<Platform?>

    /// - Parameters:
    ///   - keys: The keys of the device; by default those of the seed.
    ///   - faults: The percentage of exchanges with a fault.
    ///   - crashes: The percentage of writes on the device at which the process ends, before or after the write.
    ///   - origin: The world whose account, device and stores the walk goes on with, as they are now. The walk changes
    ///     copies of them.
    ///   - policy: The policy of the platform.
    ///   - sendsDeviceData: Whether requests carry device data, which adds writes that can fail.
    ///   - recordsEvents: Whether the platform records its events.
    ///   - recorder: Records the flows of all processes.
    init(
        seed: UInt64, tally: WalkTally, weakness: WalkUser.Weakness, faults: Int, crashes: Int = 2,
        isHybrid: Bool = false, password: String = WalkWorld.password, continuing origin: WalkWorld? = nil,
        deviceKeys keys: CachingDeviceKeys? = nil, policy: Policy = .default, sendsDeviceData: Bool = true,
        recordsEvents: Bool = false, recorder: TranscriptRecorder? = nil
    ) throws {
        self.seed = seed
        self.tally = tally
        self.isHybrid = isHybrid
        let chance = Chance(seed: seed)
        self.chance = chance
        account = try origin?.account ?? AccountName(userID: "walker-\(seed)", domain: "master")
        let start = origin?.time.now() ?? Self.start
        time = ManualTimeSource(at: start.advanced(milliseconds: Int64(chance.draw(0...3_600_000))))
        deviceTime = SkewedTimeSource(time, milliseconds: Int64(chance.draw(-30_000...30_000)))
        clientStore = FragileStore(
            base: origin?.clientStore.base.copy() ?? MemoryStore(), chance: chance, trace: trace, percentage: crashes)
        deviceKeys = keys ?? origin?.deviceKeys ?? CachingDeviceKeys(seed: seed)
        platformStore = FragileDatabase(
            origin?.platformStore.base.snapshot() ?? SQLiteDatabase.inMemory(), chance: chance, trace: trace,
            percentage: crashes / 2)
        ledger = TryLedger(account: account)
        user = WalkUser(password: password, chance: chance, trace: trace, weakness: weakness)
        self.policy = policy
        self.sendsDeviceData = sendsDeviceData
        self.recordsEvents = recordsEvents
        self.recorder = recorder
        random = SeededRandom(~seed)
        masterKey = try Self.masterKey()
        running = Mutex(nil)
        let (store, keys, platforms, name) = (clientStore.base, deviceKeys, platformStore, account)
        network = WalkNetwork(
            clock: time, chance: chance, trace: trace, tally: tally, ledger: ledger, percentage: faults,
            stage: { await Self.stage(of: $0, store: store, deviceKeys: keys, account: name) },
            isSpent: { await Self.isActivationPasswordSpent(of: name, in: platforms) })
    }

    // MARK: The platform

    var platform: Platform {
        get throws {
            guard let platform = running.withLock({ $0 }) else { throw failure("there is no platform") }
            return platform
        }
    }

    /// The store of a new platform. Its keys are made once, because making them takes longer than a walk.
    private static let fresh = Task {
        let store = SQLiteDatabase.inMemory()
        _ = try await Platform(
            database: store, masterKey: masterKey(), time: ManualTimeSource(at: start), random: SeededRandom(~0))
        return store
    }

    private static func masterKey() throws -> MasterKey {
        try MasterKey.make(id: "walk", random: SeededRandom(~0))
    }

    /// Starts the first platform of the walk.
    func startFirstPlatform() async throws {
        platformStore.replace(by: try await Self.fresh.value.snapshot())
        try await startPlatform()
    }

    /// Starts the platform, or restarts it without its state in memory.
    func startPlatform(isRestored: Bool = false) async throws {
        for _ in 0..<20 {
            do {
                let platform = try await makePlatform(on: platformStore)
                running.withLock { $0 = platform }
                network.connect(platform, isRestored: isRestored)
                return
            } catch let error as PlatformError where error.code == .storeFailed {
                continue
            }
        }
        throw failure("the platform does not start")
    }

    /// Returns a platform on a store of its own, for checks that must not change the walk.
    func makePlatform(on store: any SQLDatabase) async throws -> Platform {
        var configuration = PlatformConfiguration(
            postQuantum: isHybrid ? .required : .off, policy: policy, requestsPerDevice: 6_000,
            requestsPerAddress: 60_000)
        configuration.answerInterval = .zero
        configuration.recordsEvents = recordsEvents
        return try await Platform(
            configuration: configuration, database: store, masterKey: masterKey, time: time, random: random)
    }

    /// Returns the devices of the account at the platform, as its latest restore left them.
    func devices() async throws -> [DeviceRecord] {
        let name = account.text
        return try await platformStore.base.read { store in
            let state = try store.currentState()
            return try store.devices(of: name).map(state.current)
        }
    }

    func code() async throws -> ActivationPasswordRecord? {
        let name = account.text
        return try await platformStore.base.read { try $0.activationPassword(of: name) }
    }

    /// Returns whether an activation has ended with the latest activation password of an account.
    private static func isActivationPasswordSpent(
        of account: AccountName, in store: FragileDatabase
    ) async -> Bool {
        let name = account.text
        return (try? await store.base.read { try $0.activationPassword(of: name) })?.spentAt != nil
    }

    func throttles() async throws -> [ThrottleRecord] {
        let name = account.text
        return try await platformStore.base.read { try $0.throttles(of: name) }
    }

    // MARK: The device

    static func configuration(isHybrid: Bool) throws -> Configuration {
        let salts = try Salts(authenticator: Array("walk authenticator".utf8), storage: Array("walk storage salt".utf8))
        var configuration = Configuration(salts: salts, postQuantum: isHybrid ? .required : .off)
        configuration.passwordCost = .testing
        return configuration
    }

    /// Returns a new process on the device, with the stored state of the earlier ones.
    func process(
        transport: (any Transport)? = nil, store: (any SecureStore)? = nil, keys: CachingDeviceKeys? = nil,
        providers: [any UserAuthenticationProvider]? = nil
    ) throws -> Orchestrator {
        var configuration = try Self.configuration(isHybrid: isHybrid)
        if !sendsDeviceData { configuration.deviceData = .off }
        return try Orchestrator(
            configuration: configuration, transport: transport ?? network,
            providers: providers ?? [user],
            store: store ?? clientStore, keys: keys ?? deviceKeys, time: deviceTime, random: random,
            logger: Logger(label: "walk") { _ in SwiftLogNoOpLogHandler() }, recorder: recorder)
    }

    func vault(on store: any SecureStore, keys: CachingDeviceKeys? = nil) throws -> Vault {
        Vault(
            store: store, deviceKeys: keys ?? deviceKeys, salts: try Self.configuration(isHybrid: isHybrid).salts,
            tenant: "default", allowedCosts: [.testing], random: random)
    }

    /// Returns the record in the store of the device.
    func record() async throws -> UserRecord? { try await vault(on: clientStore.base).record(account) }

    // MARK: Failures

    func failure(_ problem: String) -> WalkFailure {
        WalkFailure(seed: seed, problem: problem, trace: trace.tail())
    }

    func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
        guard condition else { throw failure(problem()) }
    }

    /// Returns the step that a command belongs to, for trace and tally.
    private static func stage(
        of command: OrchestrationCommand, store: any SecureStore, deviceKeys: CachingDeviceKeys,
        account: AccountName
    ) async -> String {
        switch try? Envelope(decoding: command) {
        case .activationRequest: return "step 1"
        case .activationKeyRequest: return "step 2"
        default: break
        }
        guard let configuration = try? configuration(isHybrid: false) else { return "unknown" }
        let vault = Vault(
            store: store, deviceKeys: deviceKeys, salts: configuration.salts, tenant: "default",
            allowedCosts: [.testing], random: SystemRandomSource())
        switch try? await vault.record(account)?.state {
        case .pending: return "step 3"
        case .passwordProven: return "step 4"
        default: return "channel"
        }
    }
}
