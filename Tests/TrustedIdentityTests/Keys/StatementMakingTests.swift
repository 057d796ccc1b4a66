import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The time and the signer of key statements, also with a clock that was wrong.
@Suite struct StatementMakingTests {
    private static let day: Int64 = 86_400
    private static let year = 365 * day

    private func statements(_ harness: Harness) throws -> [KeyStatement] {
        try harness.platform.keys.statements.map { try KeyStatement(decoding: $0.payload) }
    }

    /// Checks that a third party accepts all statements by the fingerprint of each of them.
    private func expectVerified(_ harness: Harness) throws {
        for statement in try statements(harness) {
            _ = try PublishedKeys(
                statements: harness.platform.keys.statements, fingerprint: statement.fingerprint)
        }
    }

    @Test func `a statement has the hash of the one before and the time of the clock`() async throws {
        let harness = try await Harness()
        var times = [harness.time.now()]
        for use in [PlatformKeyUse.all, .signing, .sealing] {
            harness.time.advance(seconds: 40 * Self.day)
            try await harness.platform.rotateKeys(use)
            times.append(harness.time.now())
        }
        let made = try statements(harness)
        #expect(made.map(\.time) == times)
        #expect(made.map(\.previous) == [nil] + made.dropLast().map(\.fingerprint))
        try expectVerified(harness)
    }

    @Test func `the first keys are valid whatever the clock of the first start was`() async throws {
        for years in [-20, 20] as [Int64] {
            let harness = try await Harness()
            let first = try #require(try statements(harness).first)
            #expect(first.keys.allSatisfy { $0.notBefore.millisecondsSinceEpoch == 0 && $0.notAfter == nil })
            // The clock of the first start was wrong, and it is set right.
            harness.time.step(milliseconds: years * Self.year * 1_000)
            let device = try await harness.activate()
            // The statement of the first start is 20 years ahead.
            try await harness.platform.rotateKeys(.all, ignoringClock: years < 0)
            harness.time.advance(seconds: 60)
            let synchronize = RequestBody.synchronize(generation: 0, counters: [], statement: 1)
            #expect(try await device.send(synchronize, to: harness).refusal == nil)
            #expect(device.platformKeys == harness.platform.keys.latest && device.received.count == 1)
            try expectVerified(harness)
        }
    }

    @Test func `statements of one millisecond, and of a clock that was set back, are later one by one`() async throws {
        let harness = try await Harness()
        let start = harness.time.now()
        try await harness.platform.rotateKeys(.signing)
        try await harness.platform.rotateKeys(.sealing)
        #expect(try statements(harness).map { $0.time.milliseconds(since: start) } == [0, 1, 2])
        try expectVerified(harness)

        let other = try await Harness()
        other.time.advance(seconds: 2 * Self.day)
        try await other.platform.rotateKeys(.signing)
        other.time.step(milliseconds: -Self.day * 1_000)
        try await other.platform.rotateKeys(.sealing)
        #expect(try statements(other).map { $0.time.milliseconds(since: start) } == [0, 172_800_000, 172_800_001])
        try expectVerified(other)
        let restarted = try await other.restarted()
        #expect(restarted.platform.keys.latest == other.platform.keys.latest)
    }

    @Test func `an announced key signs the statement after its beginning, and the old one the statement before`()
        async throws
    {
        let harness = try await Harness()
        let old = harness.platform.keys.signingKey(at: harness.time.now()).kid
        try await harness.platform.rotateKeys(.signing, startingIn: .seconds(7 * Self.day))
        harness.time.advance(seconds: Self.day)
        try await harness.platform.rotateKeys(.sealing)
        harness.time.advance(seconds: 7 * Self.day)
        try await harness.platform.rotateKeys(.sealing)
        let signers = harness.platform.keys.statements.map { $0.signatures[0].header.keyID }
        let new = harness.platform.keys.signingKey(at: harness.time.now()).kid
        #expect(new != old && signers == [old, old, old, new])
        try expectVerified(harness)
    }

    @Test func `a clock before the beginning of the only key that is left does not stop the next statement`()
        async throws
    {
        let harness = try await Harness()
        let old = harness.platform.keys.signingKey(at: harness.time.now()).kid
        try await harness.platform.rotateKeys(.signing, startingIn: .seconds(7 * Self.day))
        let begin = harness.time.now().advanced(milliseconds: 7 * Self.day * 1_000)
        // The private half of the old key was erased by a clock that was ahead.
        try await harness.platform.store.write { store in
            for var key in try store.platformKeys() where key.id == old {
                key.privateKey = nil
                try requireWritten(store.update(key))
            }
        }
        let restarted = try await harness.restarted()
        harness.time.advance(seconds: Self.day)
        try await restarted.platform.rotateKeys(.sealing)
        #expect(restarted.platform.keys.latest.time == begin)
        try expectVerified(restarted)
    }
}
