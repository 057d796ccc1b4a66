import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
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
        let backup = harness.store.snapshot()
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

    @Test func `the platform rolls its ratchet forward to the device's`() async throws {
        let (harness, device) = try await restored { harness, device in
            for _ in 0..<3 {
                harness.time.advance(milliseconds: RatchetState.overlap + 1)
                try await device.send(.notificationsRegister(identifier: "x"), to: harness)
                try await device.send(.notificationsRegister(identifier: "x"), to: harness)
            }
            #expect(device.index == 3)
        }
        #expect(try await device.send(.synchronize(generation: 0, counters: []), to: harness).refusal == nil)
        #expect(try await harness.device(device)?.ratchetIndex == 3)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
    }

    /// The number of states of the ratchet that each request derived, as the log says.
    func derived(_ lines: LogLines) -> [Int] {
        lines.all.compactMap { line in
            guard line.hasPrefix("debug device request answered ratchet.derived=") else { return nil }
            return Int(line.split(separator: "=")[1].prefix { $0 != " " })
        }
    }

    @Test func `a device that is 5,000 indexes ahead synchronizes, and no request derives more than 900 states`()
        async throws
    {
        let (harness, device) = try await restored { _, device in try device.move(to: 5_000) }
        let lines = LogLines()
        let platform = try await harness.platform(on: harness.store, logger: lines.logger)
        let sync = RequestBody.synchronize(generation: 0, counters: [.init(application: 2, counter: 8)])
        for step in 1...5 as ClosedRange<UInt64> {
            // The proof is not checked, as no key of the index is derived yet.
            let sent = try await device.seal(sync, proof: .password, to: harness)
            let answer = try device.open(try await platform.execute(sent.command), to: sent)
            #expect(answer.refusal == .ratchetBehind)
            #expect(answer.ratchetIndex == 5_000)
            let row = try #require(try await harness.device(device))
            #expect(row.ratchetIndex == 900 * step && row.isRestored)
            #expect(try await harness.login(device.code(at: harness.time.now())).reason == .notSynchronized)
        }
        let sent = try await device.seal(sync, to: harness)
        let answer = try device.open(try await platform.execute(sent.command), to: sent)
        #expect(answer.result == .accepted(.synchronize(generation: 0)))
        #expect(try await harness.device(device)?.ratchetIndex == 5_000)
        #expect(derived(lines) == [900, 900, 900, 900, 900, 500])
        #expect(try await harness.login(device.code(counter: 8), application: .app2).status == .accepted)
    }

    @Test func `an index that is too far ahead is refused and moves nothing`() async throws {
        let (harness, device) = try await restored { _, device in device.index = KeyRatchet.longestAdvance + 1 }
        let sync = RequestBody.synchronize(generation: 0, counters: [])
        #expect(try await device.send(sync, to: harness).refusal == .ratchetUnknown)
        #expect(try await harness.device(device)?.ratchetIndex == 0)
    }

    @Test func `a decision that is made again derives no state again`() async throws {
        let (harness, device) = try await restored { _, device in try device.move(to: 700) }
        let lines = LogLines()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store, logger: lines.logger)
        let sent = try await device.seal(.synchronize(generation: 0, counters: []), to: harness)
        store.interrupt { [rows = platform.store.check, id = device.id] store in
            let store = store.checked(by: rows)
            guard let row = try store.device(id) else { return }
            try requireWritten(store.update(row))
        }
        let answer = try device.open(try await platform.execute(sent.command), to: sent)
        #expect(answer.refusal == nil)
        #expect(derived(lines) == [700])
    }

    @Test func `after a ratchet has rolled forward by three, a code of the index before is accepted for five minutes`()
        async throws
    {
        var before: SymmetricKey?
        let (harness, device) = try await restored { harness, device in
            for _ in 0..<3 {
                before = device.ratchet
                harness.time.advance(milliseconds: RatchetState.overlap + 1)
                try await device.send(.notificationsRegister(identifier: "x"), to: harness)
                try await device.send(.notificationsRegister(identifier: "x"), to: harness)
            }
            #expect(device.index == 3)
        }
        // The device made the code at index 2, and moves to index 3 before the user has typed it.
        let newest = device.ratchet
        device.ratchet = try #require(before)
        let (code, late) = (try device.code(counter: 5), try device.code(counter: 6))
        device.ratchet = newest
        #expect(try await device.send(.synchronize(generation: 0, counters: []), to: harness).refusal == nil)
        #expect(try await harness.device(device)?.ratchetIndex == 3)
        #expect(try await harness.login(code, application: .app2).status == .accepted)
        harness.time.advance(milliseconds: RatchetState.overlap + 1)
        let tooLate = try await harness.login(late, application: .app2).reason
        #expect(tooLate == .wrongCredential)
    }

    @Test(arguments: [1_700, 5_000] as [UInt64])
    func `a request whose states are of no use after a conflict derives no more, and the next one goes on`(
        index: UInt64
    ) async throws {
        let (harness, device) = try await restored { _, device in try device.move(to: index) }
        let lines = LogLines()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store, logger: lines.logger)
        let sync = RequestBody.synchronize(generation: 0, counters: [])
        let sent = try await device.seal(sync, proof: .password, to: harness)
        // Another request moves the ratchet by one step.
        store.interrupt {
            [rows = platform.store.check, sealer = platform.sealer, id = device.id, now = harness.time.now()] store in
            let store = store.checked(by: rows)
            var row = try #require(try store.device(id))
            let keys = try #require(try DeviceKeys(of: row, sealer: sealer))
            var stepped = RatchetState(row)
            stepped.isRestored = true
            row.move(to: stepped.stepping(now: now))
            try keys.sealRatchet(of: &row, sealer: sealer)
            try requireWritten(store.update(row))
        }
        let answer = try device.open(try await platform.execute(sent.command), to: sent)
        #expect(answer.refusal == .ratchetBehind)
        #expect(derived(lines) == [900])
        #expect(try await harness.device(device)?.ratchetIndex == 900, "the step of the other request only")
        let next = try await device.seal(sync, to: harness)
        _ = try await platform.execute(next.command)
        #expect(try await harness.device(device)?.ratchetIndex == min(index, 1_800))
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
        #expect(try await harness.device(device)?.state == .pendingNotification)
    }

    @Test func `revocations of the log are applied again`() async throws {
        let harness = try await Harness()
        let alice = try await harness.activate()
        let bob = try await harness.activate("bob@master")
        let backup = harness.store.snapshot()
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
        let backup = harness.store.snapshot()
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
