import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity

@testable import Orchestration

/// Devices that are offline while the platform replaces its keys.
@Suite struct OfflineDeviceTests {
    private static let day: Int64 = 86_400

    private struct Site {
        let platform: TestPlatform
        let orchestrator: Orchestrator
        let account: AccountName

        init(_ preference: PostQuantumPreference, seed: UInt64 = 1) async throws {
            platform = try await TestPlatform(seed: seed, configuration: .init(postQuantum: preference))
            account = try AccountName(userID: "alice", domain: "master")
            let device = try TestDevice(seed: seed, time: platform.time, postQuantum: preference)
            orchestrator = try await device.orchestrator(
                transport: platform.transport, user: ScriptedUser(password: "482915"))
            let code = try await platform.register("alice")
            _ = try await orchestrator.activate("alice", with: code).result()
        }

        /// The number of the key statement in the record of the device.
        func statement() async throws -> UInt64? {
            try await orchestrator.environment.vault.record(account)?.platformKeys.sequence
        }

        /// The row of the device at the platform.
        func row() async throws -> DeviceRecord? {
            try await platform.store.read { [account] in try $0.devices(of: account.text).first }
        }

        /// Makes a code and logs in with it.
        ///
        /// - Returns: Whether the device has synchronized.
        func logIn() async throws -> Bool {
            var (code, isSynchronized) = (String?.none, true)
            for try await event in orchestrator.oneTimePassword(for: "alice") {
                switch event {
                case .oneTimePasswordReady(let result): code = result.oneTimePassword
                case .warning(let warning) where warning.code == .notSynchronized: isSynchronized = false
                default: break
                }
            }
            let decision = try await platform.login("alice", code: try #require(code))
            #expect(decision.status == .accepted)
            return isSynchronized
        }
    }

    @Test(arguments: [PostQuantumPreference.off, .required])
    func `a device that was offline for three rotations follows them and works`(preference: PostQuantumPreference)
        async throws
    {
        let site = try await Site(preference)
        for use in [PlatformKeyUse.all, .sealing, .all] {
            site.platform.time.advance(seconds: 50 * Self.day)
            try await site.platform.rotateKeys(use)
        }
        site.platform.time.advance(seconds: 50 * Self.day)
        #expect(try await site.logIn())
        #expect(try await site.statement() == 4)
        _ = try await site.orchestrator.registerNotifications(for: "alice").result()
        site.platform.time.advance(seconds: 60)
        #expect(try await site.logIn())
    }

    @Test(arguments: [PostQuantumPreference.off, .required], [1, 8, 9, 20])
    func `whatever the first message is, a device gets all missing statements`(
        preference: PostQuantumPreference, missing: Int
    ) async throws {
        let site = try await Site(preference)
        for _ in 0..<missing {
            site.platform.time.advance(seconds: 60)
            try await site.platform.rotateKeys(.all)
        }
        // The sealing key of the activation opens synchronize only.
        site.platform.time.advance(seconds: 31 * Self.day)
        _ = try await site.orchestrator.registerNotifications(for: "alice").result()
        #expect(try await site.statement() == UInt64(missing + 1))
        #expect(try await site.logIn())
    }

    /// The rotations that a device misses.
    enum Missed: CaseIterable {
        /// The key that signs the first answer is known to the device.
        case sealing
        /// The key that signs the first answer is in the first eight statements.
        case mixed
        /// The key that signs the first answer is in a later statement.
        case all

        func use(_ number: Int) -> PlatformKeyUse {
            switch self {
            case .sealing: .sealing
            case .mixed: number == 3 ? .all : .sealing
            case .all: .all
            }
        }
    }

    @Test(arguments: Missed.allCases, [9, 20])
    func `a device that lacks more than one answer holds registers, and deletes itself at the platform`(
        missed: Missed, count: Int
    ) async throws {
        // Before and after the end of the sealing key of the activation.
        for days in [1, 31] as [Int64] {
            for isDeletion in [false, true] {
                let site = try await Site(.off)
                for number in 0..<count {
                    site.platform.time.advance(seconds: 60)
                    try await site.platform.rotateKeys(missed.use(number))
                }
                site.platform.time.advance(seconds: days * Self.day)
                if isDeletion {
                    #expect(try await site.orchestrator.user("alice").delete() == [])
                    #expect(try await site.row()?.state == .revoked)
                } else {
                    _ = try await site.orchestrator.registerNotifications(for: "alice").result()
                    #expect(try await site.statement() == UInt64(count + 1))
                    #expect(try await site.row()?.notificationIdentifier != nil)
                }
            }
        }
    }

    @Test(arguments: Missed.allCases, [9, 20])
    func `a locked device that lacks more than one answer holds is unlocked, or deletes itself at the platform`(
        missed: Missed, count: Int
    ) async throws {
        for isDeletion in [false, true] {
            let scene = try await PasswordChangeScene.locked()
            for number in 0..<count {
                scene.stage.advance(seconds: 60)
                try await scene.stage.platform.rotateKeys(missed.use(number))
            }
            scene.stage.advance(seconds: 31 * Self.day)
            if isDeletion {
                #expect(try await scene.stage.orchestrator().user("alice").delete() == [])
                let device = try await scene.device()
                #expect(device.state == .revoked)
            } else {
                let words = try await scene.unlock(with: scene.unlockCode())
                #expect(words == PasswordChangeScene.redeemed + ["unlock 2/2", "succeeded"])
                let record = try await scene.record()
                #expect(record.platformKeys.sequence == UInt64(count + 1))
            }
        }
    }

    @Test(arguments: [3, 12])
    func `a device works that knows more statements than the restored platform thinks`(rotations: Int) async throws {
        let time = ManualTimeSource()
        let random = SeededRandomSource(seed: 3)
        let masterKey = try MasterKey.make(id: "test", random: random)
        @Sendable func start(_ store: SQLiteDatabase) async throws -> Platform {
            var configuration = PlatformConfiguration(postQuantum: .off)
            configuration.answerInterval = .zero
            return try await Platform(
                configuration: configuration, database: store, masterKey: masterKey, time: time, random: random)
        }
        let store = SQLiteDatabase.inMemory()
        let running = Mutex(try await start(store))
        let orchestrator = try await TestDevice(seed: 3, time: time, postQuantum: .off).orchestrator(
            transport: InProcessTransport { running.withLock { $0 } }, user: ScriptedUser(password: "482915"))
        let account = try AccountName(userID: "alice", domain: "master")
        let registration = try await running.withLock { $0 }.register(Registration(account: account))
        try await orchestrator.user("alice").activate(with: registration.activationPassword)
        for _ in 0..<rotations {
            time.advance(seconds: 60)
            try await running.withLock { $0 }.rotateKeys(.all)
        }
        // The backup has all statements, and the device has confirmed the first one.
        let backup = store.snapshot()
        for _ in 0..<2 { _ = try await orchestrator.oneTimePassword(for: "alice").result() }
        let vault = orchestrator.environment.vault
        #expect(try await vault.record(account)?.platformKeys.sequence == UInt64(rotations + 1))
        let restored = try await start(backup)
        running.withLock { $0 = restored }
        try await restored.markRestored(revocations: .nothingRevoked)
        time.advance(seconds: 60)
        _ = try await orchestrator.registerNotifications(for: "alice").result()
        let device = try #require(try await backup.read { try $0.devices(of: account.text).first })
        #expect(device.notificationIdentifier != nil)
        #expect(device.keyStatement == (rotations > 8 ? UInt64(rotations + 1) : 1))
        #expect(try await orchestrator.user("alice").delete() == [])
    }

    @Test func `a device that was offline longer than a sealing key is kept reports the loss and stays as it was`()
        async throws
    {
        let site = try await Site(.off)
        try await site.platform.rotateKeys()
        site.platform.time.advance(seconds: 401 * Self.day)
        #expect(try await !site.logIn())
        #expect(try await site.statement() == 1)
    }

    @Test(arguments: WalkRunner.seeds(from: 4_100, count: 12))
    func `rotations at any time, announced or not, leave every device able to log in`(seed: UInt64) async throws {
        var generator = SeededRandomSource(seed: seed).generator()
        let site = try await Site(seed % 2 == 0 ? .off : .required, seed: seed)
        for _ in 0..<24 {
            site.platform.time.advance(seconds: Int64.random(in: 60...20 * Self.day, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                let known = try #require(try await site.statement())
                #expect(try await site.logIn(), "seed \(seed)")
                // One answer has at most eight statements. The others come with the next one, unless one of them lists
                // the key that signed the answer.
                let count = try UInt64(site.platform.platform.keyStatements().count)
                #expect(try #require(await site.statement()) >= min(count, known + 8), "seed \(seed)")
            case 1: try await site.platform.restart()
            default:
                let use = PlatformKeyUse.allCases.randomElement(using: &generator) ?? .all
                let days = Bool.random(using: &generator) ? 0 : Int64.random(in: 1...10, using: &generator)
                do {
                    try await site.platform.rotateKeys(use, startingIn: .seconds(days * Self.day))
                } catch let error as PlatformError where error.code == .keyAnnounced {
                }
            }
        }
        // A code is accepted once.
        site.platform.time.advance(seconds: 60)
        #expect(try await site.logIn(), "seed \(seed)")
    }
}
