import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

@Suite struct OneTimePasswordFlowTests {
    private func code(
        _ stage: Stage, _ application: CryptoApplicationIndex = .app1, challenge: String? = nil,
        protection: AuthenticationMethod = .password, synchronizingWithin limit: Duration? = .seconds(5),
        user: ScriptedUser? = nil
    ) async throws -> OneTimePasswordResult {
        try await stage.orchestrator(user: user).user("alice").oneTimePassword(
            application: application, challenge: challenge, protection: protection, synchronizingWithin: limit)
    }

    @Test func `a code is reported before the ratchet moves, and the platform accepts it once`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let words = try await story(stage.orchestrator().oneTimePassword(for: "alice"))
        #expect(words == ["code", "synchronization 1/1", "succeeded"])
        let made = try await code(stage)
        #expect(made.oneTimePassword.count == 8)
        #expect((.seconds(1) ... .seconds(30)).contains(try #require(made.expiresIn)))
        let decision = try await stage.platform.login("alice", code: made.oneTimePassword)
        #expect(decision.status == .accepted)
        #expect(decision.hostCode == made.hostCode)
        #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .refused)
    }

    @Test func `a wrong password makes a code like any other, and the platform counts it`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let wrong = try await code(stage, user: ScriptedUser(password: "999999"))
        #expect(wrong.oneTimePassword.count == 8)
        #expect(try await stage.platform.login("alice", code: wrong.oneTimePassword).status == .refused)
        let words = try await story(
            stage.orchestrator(user: ScriptedUser(password: Stage.password)).oneTimePassword(for: "alice"))
        #expect(words.contains("warning: failedCodes(1)"))
        let right = try await code(stage)
        #expect(try await stage.platform.login("alice", code: right.oneTimePassword).status == .accepted)
    }

    @Test(arguments: 1...3)
    func `leaving the loop at any event costs a code and nothing else`(events: Int) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let orchestrator = try stage.orchestrator()
        var (seen, left) = (0, "")
        for try await event in orchestrator.oneTimePassword(for: "alice", application: .app2) {
            if case .oneTimePasswordReady(let made) = event { left = made.oneTimePassword }
            seen += 1
            if seen == events { break }
        }
        #expect(seen == events)
        // The code that was shown is valid although the flow was left, and it is not made again.
        #expect(try await stage.platform.login("alice", code: left, application: .app2).status == .accepted)
        let next = try await code(stage, .app2)
        #expect(next.oneTimePassword != left)
        let decision = try await stage.platform.login("alice", code: next.oneTimePassword, application: .app2)
        #expect(decision.status == .accepted)
    }

    @Test func `a challenge is needed exactly where the application answers one`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        await #expect(throws: OrchestrationError(.invalidChallenge)) {
            try await code(stage, .app3)
        }
        for challenge in ["", String(repeating: "x", count: 129)] {
            await #expect(throws: OrchestrationError(.invalidChallenge)) {
                try await code(stage, .app3, challenge: challenge)
            }
        }
        await #expect(throws: OrchestrationError(.invalidChallenge)) {
            try await code(stage, challenge: "42")
        }
        let one = try await code(stage, .app3, challenge: "42")
        let same = try await code(stage, .app3, challenge: "42")
        let other = try await code(stage, .app3, challenge: "43")
        #expect(one.oneTimePassword == same.oneTimePassword)
        #expect(one.oneTimePassword != other.oneTimePassword)
    }

    @Test func `applications that are unknown or sign are refused by name`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        await #expect(throws: OrchestrationError(.applicationUnsuitable)) {
            try await code(stage, .app4)
        }
        await #expect(throws: OrchestrationError(.applicationUnsuitable)) {
            try await code(stage, .app8)
        }
    }

    @Test func `the possession method shows no prompt, and its code differs`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let none = try await code(stage, protection: .possession, user: user)
        #expect(user.prompts.isEmpty)
        #expect(none.method == .possession)
        #expect(none.oneTimePassword != (try await code(stage)).oneTimePassword)
    }

    @Test func `without a network the code is made, with a warning`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        stage.wire.cut(true)
        #expect(
            try await story(stage.orchestrator().oneTimePassword(for: "alice"))
                == ["code", "warning: notSynchronized", "succeeded"])
        let quiet = try stage.orchestrator().oneTimePassword(for: "alice", synchronizingWithin: nil)
        #expect(try await story(quiet) == ["code", "succeeded"])
        let made = try await code(stage, synchronizingWithin: nil)
        #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
    }

    @Test func `the flow does not wait for a transport beyond the time limit`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let flow = try stage.orchestrator(transport: RelayTransport()).oneTimePassword(for: "alice")
        let task = Task { try await story(flow) }
        await stage.time.sleepers(1)
        stage.time.advance(seconds: 5)
        #expect(try await task.value == ["code", "warning: notSynchronized", "succeeded"])
    }

    @Test func `the ratchet moves on, and codes of the new index are taken`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        var indexes: [UInt64] = []
        for _ in 0..<4 {
            stage.advance(seconds: 400)
            let made = try await code(stage)
            #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
            indexes.append(try #require(try await stage.ratchetIndex()))
        }
        #expect(indexes == indexes.sorted())
        #expect(Set(indexes).count > 1)
    }

    @Test(arguments: [30_000, -30_000, 90_000, -90_000, 600_000, -600_000] as [Int64])
    func `a device whose clock is off makes codes of the platform's time`(offset: Int64) async throws {
        let stage = try await Stage(clockOffset: offset)
        try await stage.activate()
        let made = try await code(stage)
        #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
    }

    @Test(arguments: [90_000, -90_000, 600_000, -600_000] as [Int64])
    func `a clock that is set wrong later is detected at the next contact`(offset: Int64) async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        stage.time.advance(milliseconds: offset)
        _ = try await code(stage)
        stage.advance(seconds: 60)
        let made = try await code(stage)
        #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
    }

    @Test func `a copied store is detected, and the user is locked`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let name = try #require(try await stage.store.names().first)
        let copy = try #require(try await stage.store.read(name))
        for _ in 0..<3 {
            stage.advance(seconds: 400)
            let made = try await code(stage)
            #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
        }
        try await stage.store.update(name) { _ in (.replace(copy), ()) }
        let words = try await story(stage.orchestrator().oneTimePassword(for: "alice"))
        #expect(words == ["code", "aborted: cloneSuspected"])
        await #expect(throws: OrchestrationError(.cloneSuspected)) { try await code(stage) }
        #expect(try await stage.orchestrator().user("alice").state == .locked(.cloneSuspected))
        // The documented remedy.
        try await stage.orchestrator().user("alice").delete()
        try await stage.activate()
        let fresh = try await code(stage)
        #expect(try await stage.platform.login("alice", code: fresh.oneTimePassword).status == .accepted)
    }

    @Test func `a sealed refusal of a revoked device locks the user, who can be activated again`()
        async throws
    {
        let stage = try await Stage()
        try await stage.activate()
        let report = try #require(try await stage.platform.platform.account(ActivationExchange.account))
        try await stage.platform.platform.revokeDevice(report.devices[0].id, of: ActivationExchange.account)
        let words = try await story(stage.orchestrator().oneTimePassword(for: "alice"))
        #expect(words == ["code", "aborted: revoked"])
        await #expect(throws: OrchestrationError(.revoked)) { try await code(stage) }
        #expect(try await stage.orchestrator().user("alice").state == .deleted)
        try await stage.activate()
        let fresh = try await code(stage)
        #expect(try await stage.platform.login("alice", code: fresh.oneTimePassword).status == .accepted)
    }

    @Test func `an unknown user is an error, and a canceled prompt ends the flow`() async throws {
        let stage = try await Stage()
        await #expect(throws: OrchestrationError(.notActivated)) { try await code(stage) }
        try await stage.activate()
        let words = try await story(
            stage.orchestrator(user: ScriptedUser([.abort])).oneTimePassword(for: "alice"))
        #expect(words == ["aborted: canceled"])
    }
}

extension Stage {
    /// The ratchet index of alice's device.
    func ratchetIndex() async throws -> UInt64? {
        try await orchestrator().environment.vault.record(ActivationExchange.account)?.ratchetIndex
    }
}
