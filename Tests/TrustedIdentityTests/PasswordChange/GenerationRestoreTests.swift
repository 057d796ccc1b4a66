import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Devices that have changed their passwords since the backup that a platform was restored from.
struct GenerationRestoreTests {
    /// Makes a backup, changes the password a number of times, and returns a platform on the backup.
    func restored(
        changes: Int, isMarked: Bool = true, hasOpenChange: Bool = false
    ) async throws -> (Harness, Authenticator) {
        let harness = try await Harness()
        let device = try await harness.activate()
        if hasOpenChange { _ = try #require(try await device.offeredChange(by: harness)) }
        let backup = harness.store.snapshot()
        for _ in 0..<changes {
            device.take(try #require(try await device.offeredChange(by: harness)))
            #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        }
        let after = try await harness.restarted(on: backup)
        // Requests that were made before the restore are refused.
        after.time.advance(milliseconds: 1)
        if isMarked { try await after.platform.markRestored(revocations: .nothingRevoked) }
        after.time.advance(milliseconds: 1)
        return (after, device)
    }

    @Test(arguments: [1, 3, 8], [false, true])
    func `a proof rolls the platform forward`(changes: Int, hasOpenChange: Bool) async throws {
        let (harness, device) = try await restored(changes: changes, hasOpenChange: hasOpenChange)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        let row = try #require(try await harness.device(device))
        #expect(row.generation == UInt64(changes) && row.offeredGeneration == UInt64(changes))
        // The next change works as any other.
        let offer = try #require(try await device.offeredChange(by: harness))
        #expect(offer.generation == UInt64(changes) + 1)
    }

    @Test(arguments: [1, 3, 8])
    func `a synchronization opens the change, and the first code promotes it`(changes: Int) async throws {
        let (harness, device) = try await restored(changes: changes)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .notSynchronized)
        let answer = try await device.send(
            .synchronize(generation: device.generation, counters: []), to: harness)
        // The number in a synchronization proves nothing.
        #expect(answer.result == .accepted(.synchronize(generation: 0)))
        var row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration, row.isRestored) == (0, UInt64(changes), false))
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        row = try #require(try await harness.device(device))
        #expect(row.generation == UInt64(changes))
        #expect(try await harness.platform.account(Harness.account())?.failures.isEmpty == true)
    }

    @Test(arguments: [2, 8] as [UInt64])
    func `a synchronization that names too late a generation opens it, and a proof rolls forward`(
        named: UInt64
    ) async throws {
        let (harness, device) = try await restored(changes: 2)
        // A generation that the platform does not derive is not known, and leaves the device as it was.
        let far = RequestBody.synchronize(generation: PasswordGenerations.longestAdvance + 1, counters: [])
        #expect(try await device.send(far, to: harness).refusal == .generationUnknown)
        var row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration, row.isRestored) == (0, 0, true))
        let sync = RequestBody.synchronize(generation: named, counters: [])
        #expect(try await device.send(sync, to: harness).refusal == nil)
        row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration, row.isRestored) == (0, named, false))
        // Once it is synchronized, no later generation is opened, and the opened one is not taken back.
        for other in [named + 1, 0] {
            let again = RequestBody.synchronize(generation: other, counters: [])
            #expect(
                try await device.send(again, to: harness).refusal == (other > named ? .generationUnknown : nil))
        }
        #expect(try await harness.device(device)?.offeredGeneration == named)
        // The proof of the generation that the device has moves the platform to it.
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.generation == 2)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        // The next change goes on from there, and its proof promotes it.
        let offer = try #require(try await device.offeredChange(by: harness))
        #expect(offer.generation == 3)
        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration, row.passwordFailures) == (3, max(named, 3), 0))
        harness.time.advance(seconds: 60)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
    }

    @Test func `a wrong password promotes nothing after a restore either`() async throws {
        let (harness, device) = try await restored(changes: 2)
        let wrong = try await device.send(.passwordProve, proof: .password, wrong: true, to: harness)
        #expect(wrong.refusal == .wrongPassword)
        #expect(try await harness.device(device)?.generation == 0)
    }

    @Test func `a device that is more than eight changes ahead is not known`() async throws {
        let (harness, device) = try await restored(changes: 9)
        let proof = try await device.send(.passwordProve, proof: .password, to: harness)
        #expect(proof.refusal == .generationUnknown)
        let sync = RequestBody.synchronize(generation: device.generation, counters: [])
        #expect(try await device.send(sync, to: harness).refusal == .generationUnknown)
        #expect(try await harness.device(device)?.passwordFailures == 0)
    }

    @Test(arguments: [true, false])
    func `a proof rolls a platform forward that is not marked, or whose device has synchronized`(
        isMarked: Bool
    ) async throws {
        let (harness, device) = try await restored(changes: 2, isMarked: isMarked)
        if isMarked {
            // Another process of the app synchronizes before it reads the new password from the store.
            let sync = RequestBody.synchronize(generation: 0, counters: [])
            #expect(try await device.send(sync, to: harness).refusal == nil)
        } else {
            let sync = RequestBody.synchronize(generation: device.generation, counters: [])
            #expect(try await device.send(sync, to: harness).refusal == .generationUnknown)
        }
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.generation == 2)
    }

    @Test func `a suspended device rolls forward once it is lifted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let backup = harness.store.snapshot()
        device.take(try #require(try await device.offeredChange(by: harness)))
        let after = try await harness.restarted(on: backup)
        try await after.platform.markRestored(revocations: .unknown)
        after.time.advance(milliseconds: 1)
        #expect(try await device.send(.passwordProve, proof: .password, to: after).refusal == .suspended)
        try await after.platform.liftSuspensions()
        #expect(try await device.send(.passwordProve, proof: .password, to: after).refusal == nil)
        #expect(try await after.device(device)?.generation == 1)
    }
}
