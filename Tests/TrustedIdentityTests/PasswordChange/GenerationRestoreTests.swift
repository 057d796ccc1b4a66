import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Devices that have changed their passwords since the backup that a platform was restored from.
struct GenerationRestoreTests {
    /// Makes a backup, changes the password a number of times, and returns a platform on the backup.
    func restored(changes: Int) async throws -> (Harness, Authenticator) {
        let harness = try await Harness()
        let device = try await harness.activate()
        let backup = try harness.snapshot()
        for _ in 0..<changes {
            device.take(try #require(try await device.offeredChange(by: harness)))
            #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        }
        let after = try await harness.restarted(on: backup)
        // Requests that were made before the restore are refused.
        after.time.advance(milliseconds: 1)
        try await after.platform.markRestored(revocations: .nothingRevoked)
        after.time.advance(milliseconds: 1)
        return (after, device)
    }

    @Test(arguments: [1, 3])
    func `a device that changed its password after the backup is refused and not counted`(changes: Int) async throws {
        let (harness, device) = try await restored(changes: changes)
        let proof = try await device.send(.passwordProve, proof: .password, to: harness)
        #expect(proof.refusal == .generationUnknown)
        let sync = RequestBody.synchronize(generation: device.generation, counters: [])
        #expect(try await device.send(sync, to: harness).refusal == .generationUnknown)
        let row = try #require(try await harness.device(device))
        #expect(row.passwordFailures == 0 && row.generation == 0 && row.isRestored)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .notSynchronized)
        #expect(try await harness.platform.account(Harness.account())?.failures.isEmpty == true)
    }

    @Test func `an offer that was made after the backup and not used is refused and not counted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let backup = try harness.snapshot()
        device.take(try #require(try await device.offeredChange(by: harness)))
        let after = try await harness.restarted(on: backup)
        after.time.advance(milliseconds: 1)
        try await after.platform.markRestored(revocations: .nothingRevoked)
        after.time.advance(milliseconds: 1)
        #expect(try await device.send(.passwordProve, proof: .password, to: after).refusal == .generationUnknown)
        let row = try #require(try await after.device(device))
        #expect((row.generation, row.offeredGeneration, row.passwordFailures) == (0, 0, 0))
    }

    @Test(arguments: [true, false])
    func `an offer that the backup has is promoted after the restore`(isMarked: Bool) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let offer = try #require(try await device.offeredChange(by: harness))
        let backup = try harness.snapshot()
        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        let after = try await harness.restarted(on: backup)
        after.time.advance(milliseconds: 1)
        if isMarked { try await after.platform.markRestored(revocations: .nothingRevoked) }
        after.time.advance(milliseconds: 1)
        let sync = RequestBody.synchronize(generation: device.generation, counters: [])
        #expect(try await device.send(sync, to: after).result == .accepted(.synchronize(generation: 0)))
        #expect(try await device.send(.passwordProve, proof: .password, to: after).refusal == nil)
        #expect(try await after.device(device)?.generation == 1)
        #expect(try await after.login(device.code(at: after.time.now())).status == .accepted)
    }
}
