import OrchestrationTesting
import Primitives
import Testing
import Wire

@testable import TrustedIdentity

/// The replacement of a lost change key.
@Suite struct ChangeKeyReplacementTests {
    private static let key = Result { try ChangeKey.make(random: SeededRandomSource(seed: 5)) }

    /// Replaces the change key of a store.
    private static func replace(
        with key: ChangeKey, on harness: Harness, store: MemoryPlatformStore? = nil
    ) async throws -> Bool {
        try await Platform.replaceChangeKey(
            with: key, on: store ?? harness.store, masterKey: harness.masterKey, time: harness.time)
    }

    @Test func `used passwords stay valid, open changes begin again, and a password that was never used is lost`()
        async throws
    {
        let (harness, key) = (try await Harness(), try Self.key.get())
        let (used, open, lost) = (
            try await harness.activate(), try await harness.activate("bob"), try await harness.activate("carol")
        )
        used.take(try #require(try await used.offeredChange(by: harness)))
        #expect(try await used.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        let earlier = try #require(try await open.offeredChange(by: harness))
        lost.take(try #require(try await lost.offeredChange(by: harness)))
        #expect(try await Self.replace(with: key, on: harness))

        await #expect(throws: PlatformError(.wrongChangeKey)) { _ = try await harness.restarted() }
        let after = try await harness.restarted(changeKey: key)
        #expect(try await used.send(.passwordProve, proof: .password, to: after).refusal == nil)
        #expect(try await open.send(.passwordProve, proof: .password, to: after).refusal == nil)
        let offer = try #require(try await open.offeredChange(by: after))
        #expect(offer.generation == 1 && offer.change != earlier.change)
        open.take(offer)
        #expect(try await open.send(.passwordProve, proof: .password, to: after).refusal == nil)
        // The platform cannot tell the password from a wrong one, and says how many tries are left.
        let refused = try await lost.send(.passwordProve, proof: .password, to: after)
        #expect(refused.refusal == .wrongPassword)
        #expect(try await after.device(lost)?.passwordFailures == 1)
        let again = try await after.activate("carol")
        #expect(try await again.send(.passwordProve, proof: .password, to: after).refusal == nil)
    }

    @Test func `the audit log names the new key, once`() async throws {
        let (harness, key) = (try await Harness(), try Self.key.get())
        #expect(try await Self.replace(with: key, on: harness))
        let state = try await harness.store.read { try $0.platformState() }
        #expect(try await !Self.replace(with: key, on: harness))
        #expect(try await harness.store.read { try $0.platformState() } == state)
        let after = try await harness.restarted(changeKey: key)
        let entries = try await after.events(.changeKeyReplaced)
        #expect(entries.map(\.reason) == [Hex.encode(key.id)])
        #expect(entries.allSatisfy { $0.account == nil && $0.device == nil })
    }

    @Test func `a new store, another master key and another tenant change nothing`() async throws {
        let (harness, key) = (try await Harness(), try Self.key.get())
        let new = MemoryPlatformStore()
        #expect(try await !Self.replace(with: key, on: harness, store: new))
        #expect(try await new.read { try $0.platformState() } == nil)
        let other = try MasterKey.make(id: "other", random: SeededRandomSource(seed: 6))
        await #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try await Platform.replaceChangeKey(with: key, on: harness.store, masterKey: other)
        }
        await #expect(throws: PlatformError(.wrongTenant)) {
            _ = try await Platform.replaceChangeKey(
                with: key, on: harness.store, masterKey: harness.masterKey, tenant: "other")
        }
        _ = try await harness.restarted()
    }

    @Test func `a restored backup takes the present key, which finds the passwords that it made`() async throws {
        let (harness, key) = (try await Harness(), try Self.key.get())
        let (before, since) = (try await harness.activate(), try await harness.activate("bob"))
        let backup = harness.store.snapshot()
        before.take(try #require(try await before.offeredChange(by: harness)))
        #expect(try await before.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await Self.replace(with: key, on: harness))
        let after = try await harness.restarted(changeKey: key)
        since.take(try #require(try await since.offeredChange(by: after)))
        #expect(try await since.send(.passwordProve, proof: .password, to: after).refusal == nil)

        await #expect(throws: PlatformError(.wrongChangeKey)) {
            _ = try await harness.restarted(on: backup, changeKey: key)
        }
        #expect(try await Self.replace(with: key, on: harness, store: backup))
        let restored = try await harness.restarted(on: backup, changeKey: key)
        try await restored.platform.markRestored(revocations: .nothingRevoked)
        harness.time.advance(seconds: 11)
        #expect(try await since.send(.passwordProve, proof: .password, to: restored).refusal == nil)
        #expect(try await restored.device(since)?.generation == 1)
        #expect(try await before.send(.passwordProve, proof: .password, to: restored).refusal == .wrongPassword)
    }
}
