import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Codes that were used while the clock of the platform was an hour ahead.
@Suite struct CodesAheadTests {
    let stage: Stage
    let account = ActivationExchange.account
    /// The code that was accepted ahead, and its time.
    let accepted: (code: String, time: Timestamp)

    init() async throws {
        stage = try await Stage()
        try await stage.activate()
        stage.advance(seconds: 3_600)
        let code = try await stage.orchestrator().user("alice").oneTimePassword(synchronizingWithin: nil)
            .oneTimePassword
        #expect(try await stage.platform.login("alice", code: code).status == .accepted)
        accepted = (code, stage.time.now())
        stage.time.step(milliseconds: -3_600_000)
    }

    private func login() async throws -> LoginDecision.Reason {
        let code = try await stage.orchestrator().user("alice").oneTimePassword()
        return try await stage.platform.login("alice", code: code.oneTimePassword).reason
    }

    private func device() async throws -> AccountReport.Device {
        try #require(try await stage.platform.platform.account(account)?.devices.first)
    }

    @Test func `the state and its end are shown`() async throws {
        #expect(try await login() == .usedCode)
        let end = try #require(try await device().codesUsedUntil)
        #expect((0...60).contains(end.milliseconds(since: accepted.time) / 1_000))
        stage.time.set(to: end)
        #expect(try await device().codesUsedUntil == nil)
        #expect(try await login() == .accepted)
    }

    @Test func `lifting the blocks releases the codes once the device has synchronized`() async throws {
        try await stage.platform.platform.liftBlocks(of: account)
        let waiting = try await device()
        #expect(waiting.awaitsSynchronization && waiting.codesUsedUntil == nil)
        #expect(try await login() == .notSynchronized)
        stage.advance(seconds: 301)
        // The app synchronizes after it has shown this code.
        #expect(try await login() == .notSynchronized)
        stage.advance(seconds: 30)
        #expect(try await login() == .accepted)
        #expect(try await device().awaitsSynchronization == false)
    }

    @Test func `a code that was accepted ahead is not accepted again at its time`() async throws {
        try await stage.platform.platform.liftBlocks(of: account)
        stage.time.set(to: accepted.time)
        #expect(try await stage.platform.login("alice", code: accepted.code).reason == .notSynchronized)
        _ = try await login()
        stage.advance(seconds: 1)
        #expect(try await stage.platform.login("alice", code: accepted.code).status == .refused)
    }

    @Test func `lifting the blocks leaves counters that are not ahead`() async throws {
        stage.time.set(to: accepted.time)
        try await stage.platform.platform.liftBlocks(of: account)
        #expect(try await stage.platform.login("alice", code: accepted.code).reason == .usedCode)
        #expect(try await device().awaitsSynchronization == false)
    }
}
