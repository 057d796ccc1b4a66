import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Answers of a platform whose keys are not in use at the time of the answer, by what the device knows.
@Suite struct UnusedKeysTests {
    private static let day: Int64 = 86_400_000

    /// Registers an identifier, and expects that the answer is lost or accepted.
    private func register(_ stage: Stage, isAccepted: Bool) async throws {
        let sent = stage.wire.sent.count
        let flow = try stage.orchestrator().registerNotifications(for: "alice")
        if isAccepted {
            _ = try await flow.result()
            #expect(stage.wire.sent.count == sent + 1)
        } else {
            await #expect(throws: OrchestrationError(.invalidAnswer)) { try await flow.result() }
            #expect(stage.wire.sent.count == sent + Courier.sendings)
        }
    }

    @Test(arguments: [0, 1] as [Int64])
    func `an answer is lost that is signed by a key which ended, or begins, more than 24 hours away`(
        excess: Int64
    ) async throws {
        for isEnded in [false, true] {
            let stage = try await Stage()
            try await stage.activate()
            let now = stage.platform.time.now()
            try await stage.orchestrator().environment.vault.update(ActivationExchange.account) { record in
                for index in record.platformKeys.keys.indices
                where record.platformKeys.keys[index].use == .signing {
                    if isEnded {
                        record.platformKeys.keys[index].notAfter = now.advanced(milliseconds: -Self.day - excess)
                    } else {
                        record.platformKeys.keys[index].notBefore = now.advanced(milliseconds: Self.day + excess)
                    }
                }
            }
            try await register(stage, isAccepted: excess == 0)
        }
    }

    @Test(arguments: [0, 1] as [Int64])
    func `an answer with a new statement is lost when none of its sealing keys is in use within 24 hours`(
        excess: Int64
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        stage.advance(seconds: 60)
        let start = stage.platform.time.now()
        try await stage.platform.rotateKeys(.sealing)
        stage.advance(seconds: 40 * 86_400)
        try await stage.platform.rotateKeys(.sealing)
        // The latest statement lists the two later sealing keys. The clock of the platform was wrong since before them.
        let past = start.advanced(milliseconds: -Self.day - excess)
        stage.platform.time.advance(milliseconds: past.milliseconds(since: stage.platform.time.now()))
        try await register(stage, isAccepted: excess == 0)
        let record = try #require(
            try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
        #expect(record.platformKeys.sequence == (excess == 0 ? 3 : 1))
    }
}
