import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

@Suite struct ChannelSessionTests {
    /// Offsets on both sides of the life of a request. Most are too small for a clock candidate.
    @Test(arguments: [15, 30, 59, 61, 200, 289, 291, 400, -30, -280, -291, -400] as [Int64])
    func `a clock that went wrong costs one repetition at most`(seconds: Int64) async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        stage.time.advance(seconds: seconds)
        let before = stage.wire.sent.count
        _ = try await stage.orchestrator().registerNotifications(for: "alice").result()
        #expect((1...2).contains(stage.wire.sent.count - before))
    }

    @Test(arguments: [40_000, -40_000, 5_000, 90_000] as [Int64])
    func `an offset refers to the clock at the time of the answer, also when it was set meanwhile`(
        step: Int64
    ) async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        stage.wire.tamper({ [stage] answer in
            stage.time.step(milliseconds: step)
            return answer
        })
        let orchestrator = try stage.orchestrator()
        for _ in 0..<2 { _ = try await orchestrator.registerNotifications(for: "alice").result() }
        let record = try await orchestrator.environment.vault.record(ActivationExchange.account)
        #expect(record?.clockOffset == -1 - step)
    }

    @Test func `the time in an answer that refuses is kept`() async throws {
        // The last two steps of the activation are all that the device may ask.
        let stage = try await Stage(configuration: PlatformConfiguration(requestsPerDevice: 2), clockOffset: 1)
        try await stage.activate()
        stage.time.advance(seconds: 15)
        let orchestrator = try stage.orchestrator()
        let words = try await story(orchestrator.registerNotifications(for: "alice"))
        #expect(words.count == 1)
        #expect(words.first?.hasPrefix("aborted") == true)
        let record = try await orchestrator.environment.vault.record(ActivationExchange.account)
        #expect(record?.clockOffset == -15_001)
    }

    @Test(arguments: [(100, false), (-400, false), (600, true), (-600, true)] as [(Int64, Bool)])
    func `a clock that differs by less than a code can show is not stored`(
        milliseconds: Int64, isWritten: Bool
    ) async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        // Device data would be written to the ledger.
        let name = try stage.orchestrator().environment.vault.name(for: ActivationExchange.account)
        _ = try await stage.orchestrator(deviceData: .off).registerNotifications(for: "alice").result()
        let before = try await stage.store.read(name)
        stage.time.step(milliseconds: milliseconds)
        _ = try await stage.orchestrator(deviceData: .off).registerNotifications(for: "alice").result()
        // Each write has a salt of its own.
        #expect(try await (stage.store.read(name) != before) == isWritten)
    }

    @Test func `two processes that move the ratchet against each other are no clones`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        for _ in 0..<3 {
            stage.advance(seconds: 400)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    let process = try stage.orchestrator()
                    group.addTask {
                        _ = try await process.oneTimePassword(for: "alice").result()
                        _ = try await process.registerNotifications(for: "alice").result()
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try await stage.orchestrator().user("alice").isActivated)
    }
}
