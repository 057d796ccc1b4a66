import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The erasure of the private halves of replaced keys.
@Suite struct KeyErasureTests {
    private static let day: Int64 = 86_400

    /// A platform whose sealing keys were replaced 31 days ago.
    private func replaced() async throws -> (Harness, old: [UInt8]) {
        let harness = try await Harness()
        let old = try #require(harness.platform.keys.sealing.first { $0.pair.suite == .classic }).pair.kid
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.sealing)
        harness.time.advance(seconds: 31 * Self.day)
        return (harness, old)
    }

    private func insert(_ count: Int, in harness: Harness, _ change: @escaping @Sendable (inout DeviceRecord) -> Void)
        async throws
    {
        try await harness.platform.store.write { store in
            for number in 0..<count {
                var device = Fixture.device(.active)
                device.id = [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 7, count: 14)
                device.keyStatement = 2
                change(&device)
                try requireWritten(store.insert(device))
            }
        }
    }

    private func isKept(_ kid: [UInt8], _ harness: Harness) -> Bool {
        harness.platform.keys.records.contains { $0.id == kid && $0.privateKey != nil }
    }

    @Test func `a key is erased when each run of an hour has found that it ended`() async throws {
        let (harness, old) = try await replaced()
        for _ in 0..<60 {
            await harness.platform.eraseEndedKeys(now: harness.time.now())
            #expect(isKept(old, harness))
            harness.time.advance(seconds: 60)
        }
        await harness.platform.eraseEndedKeys(now: harness.time.now())
        #expect(!isKept(old, harness))
    }

    @Test func `a wrong reading of the clock erases nothing`() async throws {
        let harness = try await Harness()
        let old = harness.platform.keys.signing[0].pair.kid
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.signing, startingIn: .seconds(30 * Self.day))
        for _ in 0..<4 {
            // The clock is 32 days ahead for one run.
            harness.time.step(milliseconds: 32 * Self.day * 1_000)
            await harness.platform.eraseEndedKeys(now: harness.time.now())
            harness.time.step(milliseconds: -32 * Self.day * 1_000)
            harness.time.advance(seconds: 1_800)
            await harness.platform.eraseEndedKeys(now: harness.time.now())
            harness.time.advance(seconds: 1_800)
        }
        #expect(isKept(old, harness))
        #expect(harness.platform.keys.signingKey(at: harness.time.now()).kid == old)
    }

    @Test func `a revoked device need not confirm a statement`() async throws {
        let (harness, old) = try await replaced()
        try await insert(1, in: harness) { device in
            device.keyStatement = 1
            device.state = .revoked
            device.revokedAt = device.createdAt
        }
        await harness.platform.eraseEndedKeys(now: harness.time.now())
        harness.time.advance(seconds: 3_600)
        await harness.platform.eraseEndedKeys(now: harness.time.now())
        #expect(!isKept(old, harness))
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `all devices are read, in parts, and the last one decides`(last: UInt64) async throws {
        let (harness, old) = try await replaced()
        let count = 2 * KeyErasure.batch + 1
        try await insert(count, in: harness) { device in
            if Int(device.id[0]) << 8 + Int(device.id[1]) == count - 1 { device.keyStatement = last }
        }
        await harness.platform.eraseEndedKeys(now: harness.time.now())
        harness.time.advance(seconds: 3_600)
        for part in 1...3 {
            await harness.platform.eraseEndedKeys(now: harness.time.now())
            #expect(part == 3 || isKept(old, harness))
            harness.time.advance(seconds: 60)
        }
        #expect(isKept(old, harness) == (last == 1))
    }

    @Test func `a failure of the store is logged, and the erasure is tried again`() async throws {
        let (harness, old) = try await replaced()
        let lines = LogLines()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store, logger: lines.logger)
        await platform.eraseEndedKeys(now: harness.time.now())
        harness.time.advance(seconds: 3_600)
        store.fail(with: StoreError(.full))
        await platform.eraseEndedKeys(now: harness.time.now())
        #expect(lines.all.contains { $0.contains("could not be erased") })
        #expect(platform.keys.records.contains { $0.id == old && $0.privateKey != nil })
        store.fail(with: nil)
        await platform.eraseEndedKeys(now: harness.time.now())
        #expect(platform.keys.records.contains { $0.id == old && $0.privateKey == nil })
    }

    @Test func `an erased key does not return with the state of a transaction that was overtaken`() async throws {
        let (harness, old) = try await replaced()
        let before = harness.platform.keys
        await harness.platform.eraseEndedKeys(now: harness.time.now())
        harness.time.advance(seconds: 3_600)
        await harness.platform.eraseEndedKeys(now: harness.time.now())
        harness.platform.keyRing.replace(by: before)
        #expect(harness.platform.keys.sealingKey(old, at: harness.time.now()) == nil)
    }

    @Test func `rotations at the same time take place one after another`() async throws {
        let harness = try await Harness()
        harness.time.advance(seconds: 60)
        let successes = await withThrowingTaskGroup { group in
            for use in PlatformKeyUse.allCases + PlatformKeyUse.allCases {
                group.addTask { _ = try await harness.platform.rotateKeys(use) }
            }
            var successes = 0
            // The first key of a kind begins now, and a later one a millisecond after it: it is not in use yet.
            while let result = await group.nextResult() {
                switch result {
                case .success: successes += 1
                case .failure(let error): #expect(error as? PlatformError == PlatformError(.keyAnnounced))
                }
            }
            return successes
        }
        let keys = harness.platform.keys
        #expect(successes >= 1 && keys.statements.count == 1 + successes)
        let stored = try await harness.restarted().platform.keys
        #expect(keys.latest == stored.latest && keys.stateNumber == stored.stateNumber)
        #expect(keys.records.map(\.id) == stored.records.map(\.id))
    }

    @Test func `keys are not replaced while the clock is behind the latest statement`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        harness.time.step(milliseconds: -Self.day * 1_000 - 1)
        await #expect(throws: PlatformError(.clockBehind)) { try await harness.platform.rotateKeys(.all) }
        #expect(harness.platform.keys.statements.count == 1)
        harness.time.step(milliseconds: 1)
        try await harness.platform.rotateKeys(.signing)
        harness.time.step(milliseconds: Self.day * 1_000)
        let request = RequestBody.synchronize(generation: 0, counters: [], statement: 1)
        #expect(try await device.send(request, to: harness).refusal == nil)
        harness.time.step(milliseconds: -400 * Self.day * 1_000)
        await #expect(throws: PlatformError(.clockBehind)) { try await harness.platform.rotateKeys(.all) }
        try await harness.platform.rotateKeys(.sealing, ignoringClock: true)
        #expect(harness.platform.keys.statements.count == 3)
    }
}
