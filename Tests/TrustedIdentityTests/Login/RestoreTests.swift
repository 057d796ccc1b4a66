import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// A platform after a restore from a backup: honest devices go on, no failure is counted, and no code is valid twice.
struct RestoreTests {
    /// Makes a backup, uses the platform, and returns a platform on the backup a second later.
    func restored(
        _ revocations: Revocations = .nothingRevoked, use: (Harness, Authenticator) async throws -> Void
    ) async throws -> (Harness, Authenticator) {
        let harness = try await Harness()
        let device = try await harness.activate()
        let backup = try harness.snapshot()
        try await use(harness, device)
        let after = try await harness.restarted(on: backup)
        try await after.platform.markRestored(revocations: revocations)
        after.time.advance(milliseconds: 1)
        return (after, device)
    }

    @Test func `until a device synchronizes its codes are refused and not counted, and then none is valid twice`()
        async throws
    {
        var typed = ""
        let (harness, device) = try await restored { harness, device in
            typed = try device.code(counter: 7)
            #expect(try await harness.login(typed, application: .app2).status == .accepted)
        }
        #expect(try await harness.login(typed, application: .app2).reason == .notSynchronized)
        #expect(try await harness.login("00000000").reason == .notSynchronized)
        let answer = try await device.send(
            .synchronize(generation: 0, counters: [.init(application: 2, counter: 8)]), to: harness)
        #expect(answer.result == .accepted(.synchronize(generation: 0)))
        #expect(try await harness.login(typed, application: .app2).reason == .usedCode)
        #expect(try await harness.login(device.code(counter: 8), application: .app2).status == .accepted)
        #expect(try await harness.platform.account(Harness.account())?.failures.isEmpty == true)
    }

    /// Moves a device by a number of indexes.
    private func move(_ device: Authenticator, by count: Int, with harness: Harness) async throws {
        for _ in 0..<count {
            harness.time.advance(milliseconds: RatchetState.overlap + 1)
            try await device.send(.notificationsRegister(identifier: "x"), to: harness)
            try await device.send(.notificationsRegister(identifier: "x"), to: harness)
        }
    }

    private let synchronize = RequestBody.synchronize(generation: 0, counters: [])

    @Test(arguments: [1, 3])
    func `the platform takes the ratchet of a device over with a right proof`(count: Int) async throws {
        let (harness, device) = try await restored { harness, device in
            try await move(device, by: count, with: harness)
            #expect(device.index == count)
        }
        #expect(try await device.send(synchronize, to: harness).refusal == .ratchetBehind)
        #expect(try await device.send(synchronize, brings: true, to: harness).refusal == .ratchetBehind)
        let wrong = try await device.send(synchronize, proof: .possession, wrong: true, brings: true, to: harness)
        #expect(wrong.refusal == .ratchetBehind)
        #expect(try await harness.device(device)?.ratchetIndex == 0)
        #expect(try await device.send(synchronize, proof: .possession, brings: true, to: harness).refusal == nil)
        let row = try #require(try await harness.device(device))
        #expect(row.ratchetIndex == count && !row.isRestored)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        // The next index may come at once.
        #expect(device.index == count)
        try await device.send(synchronize, to: harness)
        #expect(device.index == count + 1)
    }

    @Test func `a brought state with a wrong password is counted and not taken over, with the right one it is`()
        async throws
    {
        let (harness, device) = try await restored { harness, device in try await move(device, by: 2, with: harness) }
        let wrong = try await device.send(.passwordProve, proof: .password, wrong: true, brings: true, to: harness)
        #expect(wrong.refusal == .wrongPassword)
        var row = try #require(try await harness.device(device))
        #expect(row.ratchetIndex == 0 && row.passwordFailures == 1)
        // Beside a message that counts no wrong password, a right one has no effect.
        let synchronized = try await device.send(synchronize, proof: .password, brings: true, to: harness)
        #expect(synchronized.refusal == .ratchetBehind)
        #expect(try await device.send(.passwordProve, proof: .password, brings: true, to: harness).refusal == nil)
        row = try #require(try await harness.device(device))
        #expect(row.ratchetIndex == 2 && row.passwordFailures == 0)
    }

    @Test func `a state is taken over on a restored platform only`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        device.index = 5
        let answer = try await device.send(synchronize, proof: .possession, brings: true, to: harness)
        #expect(answer.refusal == .ratchetUnknown)
        #expect(try await harness.device(device)?.ratchetIndex == 0)
    }

    @Test func `a wrong tag at the offered index of a restored platform brings the state`() async throws {
        var late: Authenticator?
        let (harness, device) = try await restored { harness, device in
            harness.time.advance(milliseconds: RatchetState.overlap + 1)
            try await device.send(.notificationsRegister(identifier: "x"), moves: false, to: harness)
            late = try device.copy(isAsking: true)
            device.move()
        }
        let process = try #require(late)
        harness.time.advance(seconds: 600)
        #expect(
            try await process.send(.notificationsRegister(identifier: "x"), moves: false, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.offeredIndex == 1)
        #expect(try await device.send(synchronize, to: harness).refusal == .ratchetBehind)
        #expect(try await device.send(synchronize, proof: .possession, brings: true, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.ratchetIndex == 1)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
    }

    @Test(arguments: [true, false])
    func `a device goes on with a backup from after its input, and from after the promotion`(
        isPromoted: Bool
    ) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        if isPromoted {
            try await move(device, by: 1, with: harness)
        } else {
            harness.time.advance(milliseconds: RatchetState.overlap + 1)
            try await device.send(.notificationsRegister(identifier: "x"), to: harness)
        }
        #expect(try await harness.device(device)?.ratchetIndex == (isPromoted ? 1 : 0))
        let backup = try harness.snapshot()
        try await device.send(.notificationsRegister(identifier: "x"), to: harness)
        #expect(device.index == 1)
        let after = try await harness.restarted(on: backup)
        try await after.platform.markRestored(revocations: .nothingRevoked)
        after.time.advance(milliseconds: 1)
        // The platform knows the state of the device, which does not bring it.
        #expect(try await device.send(synchronize, to: after).refusal == nil)
        #expect(try await after.device(device)?.ratchetIndex == 1)
        #expect(try await after.login(device.code(at: after.time.now())).status == .accepted)
        try await move(device, by: 2, with: after)
        #expect(device.index > 1)
        #expect(try await after.device(device)?.state == .active)
    }

    @Test func `a request made before the restore has no second effect`() async throws {
        var sent: Authenticator.Sent?
        let (harness, device) = try await restored { harness, device in
            let request = try await device.seal(.userDelete, to: harness)
            _ = try await harness.platform.execute(request.command)
            sent = request
        }
        let request = try #require(sent)
        let answer = try await harness.platform.execute(request.command)
        #expect(try device.open(answer, to: request).refusal == .expired)
        #expect(try await harness.device(device)?.state == .active)
    }

    @Test func `revocations of the log are applied again`() async throws {
        let harness = try await Harness()
        let alice = try await harness.activate()
        let bob = try await harness.activate("bob@master")
        let backup = try harness.snapshot()
        try await alice.send(.userDelete, to: harness)
        try await harness.platform.unregister(Harness.account("bob@master"))
        let file = try await harness.exportAudit()
        let after = try await harness.restarted(on: backup)
        _ = try await after.restore(applying: file)
        #expect(try await after.device(alice)?.state == .revoked)
        #expect(try await after.device(bob)?.state == .revoked)
        #expect(try await after.platform.account(Harness.account("bob@master")) == nil)
    }

    @Test func `locks and revoked API keys of the log are applied again`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let key = try await harness.platform.createAPIKey(scope: .administrator, name: "lost")
        let kept = try await harness.platform.createAPIKey(scope: .applicationServer, name: "kept")
        let backup = try harness.snapshot()
        try await harness.platform.revokeAPIKey(key.id)
        try await harness.store.write { [id = device.id, now = harness.time.now()] store in
            guard var row = try store.device(id) else { return }
            row.stateBeforeLock = row.state
            row.state = .locked
            row.lockReason = .cloneSuspected
            try requireWritten(store.update(row))
            try store.append(
                AuditEntry(
                    time: now, event: .deviceLocked, account: row.account, device: id,
                    reason: LockReason.cloneSuspected.rawValue))
        }
        let file = try await harness.exportAudit()
        let after = try await harness.restarted(on: backup)
        #expect(try await after.platform.authenticate(apiKey: key.secret)?.scope == .administrator)
        _ = try await after.restore(applying: file)
        #expect(try await after.platform.authenticate(apiKey: key.secret) == nil)
        #expect(try await after.platform.authenticate(apiKey: kept.secret)?.scope == .applicationServer)
        #expect(try await after.device(device)?.lockReason == .cloneSuspected)
        try await after.platform.liftBlocks(of: Harness.account())
        #expect(try await after.device(device)?.state == .locked)
    }
}
