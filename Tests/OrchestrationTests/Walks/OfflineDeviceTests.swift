import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity
import Wire

@testable import Orchestration

/// Devices that sleep while the platform replaces its keys.
@Suite struct SleepingDeviceTests {
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
            _ = try await orchestrator.activate(.init(user: "alice", activationPassword: code)).result()
        }

        /// The number of the key statement in the record of the device.
        func statement() async throws -> UInt64? {
            try await orchestrator.environment.vault.record(account)?.platformKeys.sequence
        }

        /// Makes a code and logs in with it.
        ///
        /// - Returns: Whether the device has synchronized.
        func logIn() async throws -> Bool {
            var (code, isSynchronized) = (String?.none, true)
            for try await event in orchestrator.authenticateLocally(.init(user: "alice")) {
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
    func `a device that slept through three rotations wakes up and works`(preference: PostQuantumPreference)
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
        _ = try await site.orchestrator.registerNotifications(.init(user: "alice")).result()
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
        _ = try await site.orchestrator.registerNotifications(.init(user: "alice")).result()
        #expect(try await site.statement() == UInt64(missing + 1))
        #expect(try await site.logIn())
    }

    @Test func `a device that slept longer than a sealing key is kept reports the loss and stays as it was`()
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
                #expect(try await site.logIn(), "seed \(seed)")
                #expect(try await site.statement() == UInt64(site.platform.platform.keyStatements().count))
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
