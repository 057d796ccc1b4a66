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

    @Test func `the audit log names the earlier and the new key, once`() async throws {
        let (harness, key) = (try await Harness(), try Self.key.get())
        let earlier = harness.platform.changeKey.id
        #expect(try await Self.replace(with: key, on: harness))
        let state = try await harness.store.read { try $0.platformState() }
        #expect(try await !Self.replace(with: key, on: harness))
        #expect(try await harness.store.read { try $0.platformState() } == state)
        let after = try await harness.restarted(changeKey: key)
        let entries = try await after.events(.changeKeyReplaced)
        #expect(entries.map(\.reason) == [Hex.encode(earlier) + ">" + Hex.encode(key.id)])
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

    @Test func `a platform that runs on with the replaced key neither offers nor promotes`() async throws {
        let (harness, key) = (try await Harness(), try Self.key.get())
        let device = try await harness.activate()
        let offer = try #require(try await device.offeredChange(by: harness))
        #expect(try await Self.replace(with: key, on: harness))
        let before = try await harness.device(device)
        await #expect(throws: PlatformError(.wrongChangeKey)) { _ = try await device.offeredChange(by: harness) }
        device.take(offer)
        await #expect(throws: PlatformError(.wrongChangeKey)) {
            _ = try await device.send(.passwordProve, proof: .password, to: harness)
        }
        let code = try device.code(at: harness.time.now())
        await #expect(throws: PlatformError(.wrongChangeKey)) { _ = try await harness.login(code) }
        #expect(try await harness.device(device) == before)
    }
}

/// The restore of a backup from before a replacement of the change key, with an exported audit log.
@Suite struct ReplacedKeyRestoreTests {
    /// A restored backup that has taken the present change key, and an export of the time after the replacement.
    struct Loss {
        let restored: Harness
        let stolen: Authenticator?
        let honest: Authenticator?
        let file: [UInt8]
    }

    /// - Parameters:
    ///   - isRestoredBefore: Whether the store was restored once before the backup.
    ///   - isEmpty: Whether the backup has no device and an empty log.
    private func loss(isRestoredBefore: Bool = false, isEmpty: Bool = false) async throws -> Loss {
        let (harness, key) = (try await Harness(), try ChangeKey.make(random: SeededRandomSource(seed: 5)))
        var devices: (stolen: Authenticator, honest: Authenticator)?
        if isRestoredBefore { try await harness.platform.markRestored(revocations: .nothingRevoked) }
        if !isEmpty {
            harness.time.advance(seconds: 11)
            devices = (try await harness.activate(), try await harness.activate("bob"))
        }
        let backup = harness.store.snapshot()
        try await Self.replace(with: key, on: harness.store, harness)
        let after = try await harness.restarted(changeKey: key)
        if isEmpty { _ = try await after.register() }
        try await devices?.stolen.send(.userDelete, to: after)
        let file = try await after.exportAudit()
        harness.time.advance(seconds: 1)
        try await Self.replace(with: key, on: backup, harness)
        return Loss(
            restored: try await harness.restarted(on: backup, changeKey: key), stolen: devices?.stolen,
            honest: devices?.honest, file: file)
    }

    private static func replace(with key: ChangeKey, on store: MemoryPlatformStore, _ harness: Harness) async throws {
        let isReplaced = try await Platform.replaceChangeKey(
            with: key, on: store, masterKey: harness.masterKey, time: harness.time)
        #expect(isReplaced)
    }

    private func requireApplied(_ report: RestoreReport, isLater: Bool, to loss: Loss) async throws {
        #expect(report.isLater == isLater && report.devices == (loss.stolen == nil ? 0 : 1))
        loss.restored.time.advance(seconds: 11)
        if let (stolen, honest) = loss.stolen.flatMap({ stolen in loss.honest.map { (stolen, $0) } }) {
            #expect(try await loss.restored.device(stolen)?.state == .revoked)
            #expect(try await honest.send(SuspensionTests.sync, to: loss.restored).refusal == nil)
        }
        let state = try #require(try await loss.restored.store.read { try $0.platformState() })
        #expect(state.suspendedBelow == 0)
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func `an export that is found later lifts what the restore suspended`(before: Bool, empty: Bool) async throws {
        let loss = try await loss(isRestoredBefore: before, isEmpty: empty)
        try await loss.restored.platform.markRestored(revocations: .unknown)
        let report = try await loss.restored.restore(applying: loss.file)
        try await requireApplied(report, isLater: true, to: loss)
        #expect(try await loss.restored.restore(applying: loss.file).isLater)
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func `an export is applied at once, and again`(before: Bool, empty: Bool) async throws {
        let loss = try await loss(isRestoredBefore: before, isEmpty: empty)
        try await requireApplied(try await loss.restored.restore(applying: loss.file), isLater: false, to: loss)
        #expect(try await loss.restored.restore(applying: loss.file).isLater)
    }

    @Test func `an export that parts before another entry than a replacement is refused`() async throws {
        let loss = try await loss()
        _ = try await loss.restored.register("carol")
        try await loss.restored.platform.markRestored(revocations: .unknown)
        await #expect(throws: AuditFileError(.notCovering)) {
            _ = try await loss.restored.restore(applying: loss.file)
        }
    }
}
