import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The move of a device to another one, as the platform sees it.
struct MoveTests {
    /// What every activation password that is of no use gets.
    static let notConfirmed = SecureChannelError(.wrongActivationPassword, blame: .user, "")

    let harness: Harness
    let old: Authenticator

    init() async throws {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.recordsEvents = true
        harness = try await Harness(configuration)
        old = try await harness.activate()
    }

    /// Begins the move and returns the activation password.
    private func begin() async throws -> String { try #require(try await old.beginMove(with: harness)) }

    /// The step that completes an activation.
    private static func last(of device: Authenticator) -> RequestBody {
        .activationComplete(receiptHash: device.receipt)
    }

    private func state(_ device: Authenticator) async throws -> DeviceState? {
        try await harness.device(device)?.state
    }

    @Test func `a device that proves its password moves, and the last step revokes it`() async throws {
        let code = try await begin()
        #expect(try await harness.status() == .activated)
        let new = try await Authenticator.exchangeKeys(code: code, with: harness)
        _ = try await new.send(.activationPassword, proof: .password, to: harness)
        #expect(try await state(old) == .active)
        #expect(try await harness.login(old.code(at: harness.time.now())).status == .accepted)
        let last = try await new.send(Self.last(of: new), proof: .possession, to: harness)
        #expect(last.result == .accepted(.activationComplete))
        #expect(try await state(old) == .revoked)
        #expect(try await state(new) == .active)
        #expect(try await harness.status() == .activated)
        harness.time.advance(seconds: 60)
        #expect(try await harness.login(old.code(at: harness.time.now())).status == .refused)
        #expect(try await harness.login(new.code(at: harness.time.now())).status == .accepted)
        #expect(try await old.send(.approvalList, to: harness).refusal == .revoked)
        let password = try await harness.store.read { try $0.activationPassword(of: Harness.alice) }
        #expect(password?.spentAt != nil && password?.secret == nil && password?.movedDevice == old.id)
    }

    @Test func `a device that is locked as a copy does not move, and the person who began the move gets nothing`()
        async throws
    {
        let new = try await Authenticator.exchangeKeys(code: begin(), with: harness)
        _ = try await new.send(.activationPassword, proof: .password, to: harness)
        var row = try #require(try await harness.device(old))
        row.lock(.cloneSuspected)
        try await harness.platform.store.write { [row] in try requireWritten($0.update(row)) }
        #expect(try await new.send(Self.last(of: new), proof: .possession, to: harness).refusal == .pendingExpired)
        let states = (try await state(old), try await state(new))
        #expect(states.0 == .locked && states.1 == nil)
    }

    @Test func `the beginning and the end of a move are entries and events with both devices`() async throws {
        let new = try await Authenticator.exchangeKeys(code: begin(), with: harness)
        try await new.complete(with: harness)
        #expect(try await harness.events(.moveStarted).map(\.device) == [old.id])
        let ends = try await harness.events(.moveCompleted)
        #expect(ends.map(\.device) == [new.id] && ends.map(\.reason) == [Hex.encode(old.id)])
        #expect(try await harness.events(.deviceRevoked).map(\.reason) == ["moved"])
        let events = try await harness.waitingEvents()
        #expect(
            events.map(\.kind) == [
                .activationCompleted, .moveStarted, .deviceRevoked, .moveCompleted, .activationCompleted,
            ])
        #expect(events.map(\.device) == [old.id, old.id, old.id, new.id, new.id])
        #expect(events.map(\.reason) == ["", "", "moved", Hex.encode(old.id), ""])
    }

    @Test func `a repeated request gets the same activation password, and another one replaces it`() async throws {
        let sent = try await old.seal(.moveBegin, proof: .password, to: harness)
        let answer = try await harness.platform.execute(sent.command)
        #expect(try await harness.platform.execute(sent.command) == answer)
        guard case .accepted(let body) = try old.open(answer, to: sent).result else {
            Issue.record("refused")
            return
        }
        let first = try #require(body.answer(to: MoveBeginMessage.self))
        #expect(first.expiry == harness.time.now().advanced(seconds: 600))
        old.move()
        let second = try await begin()
        let text = first.activationPassword.withBytes { String(decoding: [UInt8]($0), as: UTF8.self) }
        #expect(text != second)
        await #expect(throws: Self.notConfirmed) {
            _ = try await Authenticator.exchangeKeys(code: text, with: harness)
        }
        try await Authenticator.exchangeKeys(code: second, with: harness).complete(with: harness)
        #expect(try await state(old) == .revoked)
    }

    @Test func `a move that begins again drops the device that was being activated`() async throws {
        let pending = try await Authenticator.exchangeKeys(code: begin(), with: harness)
        let code = try await begin()
        #expect(try await state(pending) == nil)
        #expect(try await harness.events(.activationDropped).map(\.reason) == ["moveStarted"])
        try await Authenticator.exchangeKeys(code: code, with: harness).complete(with: harness)
        #expect(try await state(old) == .revoked)
    }

    @Test func `a wrong password begins no move and is counted, and no proof is malformed`() async throws {
        let answer = try await old.send(.moveBegin, proof: .password, wrong: true, to: harness)
        #expect(answer.refusal == .wrongPassword && answer.refused?.remainingTries == 4)
        #expect(try await old.send(.moveBegin, to: harness).refusal == .malformed)
        #expect(try await old.send(.moveBegin, proof: .possession, to: harness).refusal == .malformed)
        #expect(try await harness.device(old)?.passwordFailures == 1)
        let password = try await harness.store.read { try $0.activationPassword(of: Harness.alice) }
        #expect(password?.movedDevice == nil)
        #expect(try await harness.events(.moveStarted).isEmpty)
    }

    @Test func `a registration ends an open move`() async throws {
        let code = try await begin()
        let registered = try await harness.register()
        await #expect(throws: Self.notConfirmed) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
        let second = try await Authenticator.exchangeKeys(code: registered, with: harness)
        try await second.complete(with: harness)
        #expect(try await state(old) == .active, "a registration adds a device")
        #expect(try await harness.events(.moveCompleted).isEmpty)
    }

    @Test func `a move ends an open registration`() async throws {
        let registered = try await harness.register()
        let pending = try await Authenticator.exchangeKeys(code: registered, with: harness)
        #expect(try await harness.status() == .pending)
        let code = try await begin()
        #expect(try await harness.status() == .timeout)
        #expect(try await state(pending) == nil)
        await #expect(throws: Self.notConfirmed) {
            _ = try await Authenticator.exchangeKeys(code: registered, with: harness)
        }
        try await Authenticator.exchangeKeys(code: code, with: harness).complete(with: harness)
        #expect(try await state(old) == .revoked)
    }

    @Test func `an activation password of a move expires after ten minutes, and the old device works`() async throws {
        let code = try await begin()
        harness.time.advance(seconds: 600)
        await #expect(throws: Self.notConfirmed) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
        #expect(try await harness.login(old.code(at: harness.time.now())).status == .accepted)
    }

    // The old device ends while its move is open.

    @Test(arguments: [true, false])
    func `the activation password of a device that was revoked or deleted is refused`(isDeleted: Bool) async throws {
        let code = try await begin()
        if isDeleted {
            try await old.send(.userDelete, to: harness)
        } else {
            try await harness.platform.revokeDevice(old.id, of: Harness.account())
        }
        await #expect(throws: Self.notConfirmed) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
        let stored = try await harness.store.read { try $0.activationPassword(of: Harness.alice) }
        #expect(stored?.spentAt == harness.time.now() && stored?.secret == nil)
        #expect(try await harness.events(.activationTried).count == 1, "that of the old device")
    }

    @Test func `step 2 after the old device was revoked is refused`() async throws {
        let initiator = try await Authenticator.initiator(code: begin(), random: harness.random)
        var session = try initiator.receive(try await harness.platform.execute(initiator.command))
        try await harness.platform.revokeDevice(old.id, of: Harness.account())
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(
            Authenticator.registration(key, random: harness.random), random: harness.random)
        let answer = try await harness.platform.execute(request)
        #expect(try ActivationRefusal(decoding: answer.bytes).reason == .refused)
    }

    @Test func `step 4 after the old device was revoked drops the new one`() async throws {
        let new = try await Authenticator.exchangeKeys(code: begin(), with: harness)
        try await harness.platform.revokeDevice(old.id, of: Harness.account())
        #expect(try await new.send(.activationPassword, proof: .password, to: harness).refusal == nil)
        let last = try await new.send(Self.last(of: new), proof: .possession, to: harness)
        #expect(last.refusal == .pendingExpired)
        #expect(try await state(new) == nil)
        #expect(try await harness.events(.activationDropped).map(\.reason) == ["moveEnded"])
        #expect(try await harness.events(.moveCompleted).isEmpty)
    }

    @Test func `a revocation between the read and the write of step 4 drops the new device`() async throws {
        let new = try await Authenticator.exchangeKeys(code: begin(), with: harness)
        _ = try await new.send(.activationPassword, proof: .password, to: harness)
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        let sent = try await new.seal(Self.last(of: new), proof: .possession, to: harness)
        let (id, rows) = (old.id, harness.platform.store.check)
        let revocation = DeviceRevocation(sealer: harness.platform.sealer, now: harness.time.now(), reason: "test")
        store.interrupt { store in
            let store = store.checked(by: rows)
            guard let device = try store.device(id) else { throw WriteConflict() }
            try revocation.revoke(device, in: store)
        }
        let answer = try await platform.execute(sent.command)
        #expect(try new.open(answer, to: sent).refusal == .pendingExpired)
        #expect(try await state(new) == nil)
    }

    // One activation password, several devices.

    @Test func `of two devices with one activation password the later one is activated, and a third one is refused`()
        async throws
    {
        let code = try await begin()
        let first = try await Authenticator.exchangeKeys(code: code, with: harness)
        let second = try await Authenticator.exchangeKeys(code: code, with: harness)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await first.send(.activationPassword, proof: .password, to: harness)
        }
        try await second.complete(with: harness)
        #expect(try await state(first) == nil)
        #expect(try await state(second) == .active)
        #expect(try await state(old) == .revoked)
        await #expect(throws: Self.notConfirmed) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
    }

    @Test func `a repeated last step gets the same answer, and a new one is accepted`() async throws {
        let new = try await Authenticator.exchangeKeys(code: begin(), with: harness)
        _ = try await new.send(.activationPassword, proof: .password, to: harness)
        let sent = try await new.seal(Self.last(of: new), proof: .possession, to: harness)
        let answer = try await harness.platform.execute(sent.command)
        #expect(try await harness.platform.execute(sent.command) == answer)
        let again = try await new.send(Self.last(of: new), proof: .possession, to: harness)
        #expect(again.result == .accepted(.activationComplete))
        #expect(try await harness.events(.moveCompleted).count == 1)
        #expect(try await harness.events(.deviceRevoked).count == 1)
    }

    // Limits and locks.

    @Test func `one of five devices moves, and five remain`() async throws {
        for _ in 0..<4 { _ = try await harness.activate() }
        let new = try await Authenticator.exchangeKeys(code: begin(), with: harness)
        try await new.complete(with: harness)
        let devices = try await harness.store.read { try $0.devices(of: Harness.alice) }
        #expect(devices.count(where: \.isActivated) == 5)
        #expect(try await state(old) == .revoked)
        #expect(try await state(new) == .active)
    }

    @Test func `a move replaces no locked device but the one that moves`() async throws {
        let locked = try await harness.activate()
        for _ in 0..<5 { _ = try await locked.send(.moveBegin, proof: .password, wrong: true, to: harness) }
        for _ in 0..<3 { _ = try await harness.activate() }
        try await Authenticator.exchangeKeys(code: begin(), with: harness).complete(with: harness)
        #expect(try await state(locked) == .locked)
        #expect(try await state(old) == .revoked)
    }

    @Test func `a locked device begins no move, and its open move is completed`() async throws {
        let code = try await begin()
        for _ in 0..<5 { _ = try await old.send(.moveBegin, proof: .password, wrong: true, to: harness) }
        #expect(try await state(old) == .locked)
        #expect(try await old.send(.moveBegin, proof: .password, to: harness).refusal == .locked)
        let new = try await Authenticator.exchangeKeys(code: code, with: harness)
        _ = try await new.send(.activationPassword, proof: .password, to: harness)
        // The store of the new device may still hold the locked one.
        let last = RequestBody.activationComplete(receiptHash: new.receipt, replacing: old.id)
        #expect(try await new.send(last, proof: .possession, to: harness).refusal == nil)
        #expect(try await state(old) == .revoked)
        #expect(try await harness.events(.deviceRevoked).map(\.reason) == ["moved"])
    }

    // A device that is lost cannot move.

    @Test func `a lost device is revoked, and the user is registered anew for another one`() async throws {
        let open = try await begin()
        let code = try await harness.register()
        try await harness.platform.revokeDevice(old.id, of: Harness.account(), requestedBy: .applicationServer)
        let new = try await Authenticator.exchangeKeys(code: code, with: harness)
        try await new.complete(with: harness)
        #expect(try await state(new) == .active)
        #expect(try await harness.login(old.code(at: harness.time.now())).status == .refused)
        // The activation password that the finder may have seen on the lost device is of no use.
        await #expect(throws: Self.notConfirmed) {
            _ = try await Authenticator.exchangeKeys(code: open, with: harness)
        }
        #expect(try await harness.status() == .activated)
    }
}
