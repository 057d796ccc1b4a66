import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Refusals are answered at a tick.
@Suite(.timeLimit(.minutes(20))) struct AnswerTickTests {
    /// A clock by which each decision takes a time: the platform reads the time once for it.
    private struct SlowTimeSource: TimeSource {
        let base: ManualTimeSource
        let milliseconds: Int64

        func now() -> Timestamp {
            base.advance(milliseconds: milliseconds)
            return base.now()
        }

        func uptime() -> Duration { base.uptime() }
        func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }
    }

    private static let interval = AnswerTick.interval

    private func harness(on store: (any SQLDatabase)? = nil) async throws -> Harness {
        try await Harness(on: store, answerInterval: Self.interval)
    }

    /// Returns the reason of a refusal that is answered 25 ms after the call, and not before.
    private func refusal(
        on harness: Harness, of login: @escaping @Sendable () async throws -> LoginDecision
    ) async throws -> LoginDecision.Reason? {
        let call = Task { try await login() }
        await harness.time.sleepers(1)
        harness.time.advance(milliseconds: 24)
        #expect(harness.time.sleeperCount == 1)
        harness.time.advance(milliseconds: 1)
        #expect(harness.time.sleeperCount == 0)
        return try await call.value.reason
    }

    /// Makes a platform whose account alice is blocked.
    private func block(_ harness: Harness) async throws {
        for _ in 0..<5 { _ = try await refusal(on: harness) { try await harness.login("00000000") } }
    }

    @Test(arguments: [
        (0, 25_000), (1, 24_999), (24_999, 1), (25_000, 0), (25_001, 24_999), (60_000, 15_000), (75_000, 0),
    ])
    func `the tick is 25 ms after the call, or at the next multiple`(elapsed: Int64, left: Int64) {
        #expect(
            AnswerTick.remainder(of: .microseconds(elapsed), interval: Self.interval) == .microseconds(left))
        #expect(AnswerTick.remainder(of: .microseconds(elapsed), interval: .zero) == .zero)
    }

    @Test func `every refusal leaves at the tick, and an accepted code at once`() async throws {
        let harness = try await harness()
        let device = try await harness.activate()
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        let used = try device.code(at: harness.time.now())
        var reason = try await refusal(on: harness) { try await harness.login(used) }
        #expect(reason == .usedCode)
        reason = try await refusal(on: harness) { try await harness.login("00000000", "nobody@master") }
        #expect(reason == .unknownAccount)
        try await block(harness)
        let right = try device.code(at: harness.time.now().advanced(seconds: 30))
        for code in [right, "00000000"] {
            reason = try await refusal(on: harness) { try await harness.login(code) }
            #expect(reason == .blocked)
        }
    }

    @Test func `a suspended static password and one of an unknown user leave at the tick`() async throws {
        let harness = try await harness()
        _ = try await harness.register(staticPassword: "a horse")
        harness.time.advance(milliseconds: 1_000)
        try await harness.platform.markRestored(revocations: .unknown)
        harness.time.advance(milliseconds: 1)
        for (user, reason) in [(Harness.alice, LoginDecision.Reason.suspended), ("nobody@master", .unknownAccount)] {
            let found = try await refusal(on: harness) {
                try await harness.platform.login(
                    .init(account: Harness.account(user), credential: .staticPassword("a horse")))
            }
            #expect(found == reason)
        }
    }

    @Test func `a slow refusal leaves at the next tick`() async throws {
        let harness = try await harness()
        _ = try await harness.activate()
        let slow = try await Platform(
            configuration: harness.configuration, database: harness.store, masterKey: harness.masterKey,
            time: SlowTimeSource(base: harness.time, milliseconds: 30), random: harness.random)
        let call = Task {
            try await slow.login(.init(account: Harness.account(), credential: .oneTimePassword("00000000")))
        }
        await harness.time.sleepers(1)
        harness.time.advance(milliseconds: 19)
        #expect(harness.time.sleeperCount == 1)
        harness.time.advance(milliseconds: 1)
        #expect(try await call.value.reason == .wrongCredential)
    }

    @Test func `wrong signatures, wrong pairs of codes and the first reply of a remote login leave at the tick`()
        async throws
    {
        let harness = try await harness()
        _ = try await harness.activate()
        let platform = harness.platform
        for user in [Harness.alice, "nobody@master"] {
            let account = try Harness.account(user)
            _ = try await refusal(on: harness) {
                await #expect(throws: PlatformError(.codesRefused)) {
                    try await platform.synchronizeAuthenticator(account, codes: ("00000000", "11111111"))
                }
                return LoginDecision(.wrongCredential)
            }
            _ = try await refusal(on: harness) {
                let report = try await platform.requestApproval(.init(.login, of: account))
                #expect(report.status == .pending)
                return LoginDecision(.wrongCredential)
            }
            _ = try await refusal(on: harness) {
                try await platform.validate(
                    .init(account: account, fields: [DataField(value: "x")], signature: "00000000"))
            }
            _ = try await refusal(on: harness) {
                try await platform.validate(LocalSeal(account: account, data: .text("x"), seal: "00000000"))
            }
        }
    }

    @Test func `refusals that wait hold no reader, no writer and no place of the hasher`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        let harness = try await harness(on: store)
        _ = try await harness.register(staticPassword: "a horse")
        let account = try Harness.account()
        let calls = (0..<80).map { number in
            Task {
                try await harness.platform.login(
                    .init(account: Harness.account("user\(number)@master"), credential: .oneTimePassword("00000000")))
            }
        }
        await harness.time.sleepers(80)
        // One at a time, more than there are places for an account.
        var passwords: [Task<LoginDecision, any Error>] = []
        for number in 1...PasswordHasher.capacityPerAccount + 1 {
            passwords.append(
                Task {
                    try await harness.platform.login(
                        .init(account: account, credential: .staticPassword("a mule"), source: "\(number)"))
                })
            await harness.time.sleepers(80 + number)
        }
        _ = try await harness.register("bob@master")
        #expect(try await harness.platform.audit(limit: 1).count == 1)
        harness.time.advance(milliseconds: 25)
        for call in calls { #expect(try await call.value.reason == .unknownAccount) }
        for call in passwords { #expect(try await call.value.status == .refused) }
        try await store.close()
    }

    @Test func `a canceled call waits no longer`() async throws {
        let harness = try await harness()
        let call = Task { try await harness.login("00000000", "nobody@master") }
        await harness.time.sleepers(1)
        call.cancel()
        #expect(try await call.value.reason == .unknownAccount)
    }
}
