import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Rotations of the platform's keys, and what the old ones still open.
@Suite struct KeyRotationTests {
    private static let day: Int64 = 86_400

    /// Erases what has ended: the first call notes it, and the second one comes an hour later.
    private func erase(_ harness: Harness) async {
        await harness.platform.eraseEndedKeys(now: harness.time.now())
        harness.time.advance(seconds: 3_600)
        await harness.platform.eraseEndedKeys(now: harness.time.now())
    }

    private func synchronize(_ device: Authenticator) -> RequestBody {
        .synchronize(generation: 0, counters: [], statement: device.platformKeys.sequence)
    }

    @Test(arguments: PlatformKeyUse.allCases)
    func `a rotation makes a statement that follows from the one before`(use: PlatformKeyUse) async throws {
        let harness = try await Harness()
        let before = harness.platform.keys
        harness.time.advance(seconds: 60)
        let now = harness.time.now()
        let report = try await harness.platform.rotateKeys(use)
        let after = harness.platform.keys
        #expect(report.sequence == 2 && after.latest.sequence == 2 && after.statements.count == 2)
        #expect(try before.latest.verified(following: [after.statements[1]], suite: .classic) == after.latest)
        let kinds = use == .signing || use == .audit ? 1 : use == .sealing ? 2 : 4
        #expect(after.records.count == before.records.count + kinds)
        #expect(after.latest.keys.count == before.latest.keys.count + kinds)
        let isSigning = use == .signing || use == .all
        #expect((after.signingKey(at: now).kid != before.signingKey(at: now).kid) == isSigning)
        let isAudit = use == .audit || use == .all
        #expect((after.auditKey(at: now).id != before.auditKey(at: now).id) == isAudit)
        // Until the rotation, the old key signed.
        #expect(after.signingKey(at: now.advanced(milliseconds: -1)).kid == before.signingKey(at: now).kid)
        // A restart reads the same.
        let restarted = try await harness.restarted()
        #expect(restarted.platform.keys.latest == after.latest)
        let entries = try await harness.store.read { try $0.auditEntries(of: nil, before: nil, limit: 1) }
        #expect(entries.map(\.event) == [.platformKeysRotated] && entries.map(\.reason) == [use.rawValue])
    }

    @Test func `a device that was offline for three rotations gets the statements and goes on`() async throws {
        for suite in [Suite.classic, .hybrid] {
            let preference: PostQuantumPreference = suite == .classic ? .off : .required
            let harness = try await Harness(.init(postQuantum: preference, requestsPerDevice: 6_000))
            let device = try await harness.activate(suites: [suite])
            for _ in 0..<3 {
                harness.time.advance(seconds: 40 * Self.day)
                try await harness.platform.rotateKeys(.all)
            }
            #expect(device.platformKeys.sequence == 1)
            let answer = try await device.send(synchronize(device), to: harness)
            #expect(answer.refusal == nil)
            #expect(device.platformKeys == harness.platform.keys.latest && device.received.count == 3)
            #expect(try await device.send(.notificationsRegister(identifier: "i"), to: harness).refusal == nil)
            // It has confirmed them with its next synchronization.
            try await device.send(synchronize(device), to: harness)
            #expect(device.received.isEmpty)
            let row = try await harness.device(device)
            #expect(row?.keyStatement == 4)
        }
    }

    @Test func `nine missing statements come in two answers, and no other message has an effect before`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        for _ in 0..<9 {
            harness.time.advance(seconds: 60)
            try await harness.platform.rotateKeys(.signing)
        }
        let register = try await device.seal(.notificationsRegister(identifier: "i"), to: harness)
        let refused = try await harness.platform.execute(register.command)
        // Signed by a key of statement 10, and only statements up to 9 came.
        #expect(throws: SecureChannelError.self) { try device.open(refused, to: register) }
        #expect(device.platformKeys.sequence == 9 && device.received.count == 8)
        let row = try await harness.device(device)
        #expect(row?.notificationIdentifier == nil && row?.state == .pendingNotification)
        #expect(try await device.send(synchronize(device), to: harness).refusal == nil)
        #expect(device.platformKeys.sequence == 10 && device.received.count == 1)
        #expect(try await device.send(.notificationsRegister(identifier: "i"), to: harness).refusal == nil)
    }

    @Test func `a replaced sealing key opens every message for 30 days, and then synchronize only`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.sealing)
        harness.time.advance(seconds: 30 * Self.day)
        #expect(try await device.send(.notificationsRegister(identifier: "a"), to: harness).refusal == nil)
        // The device got the statement, but this app still has the old one.
        let old = try #require(try? KeyStatement.verified(first: device.provisioning.statement, suite: .classic))
        harness.time.advance(milliseconds: 1)
        device.platformKeys = old
        let late = try await device.send(.notificationsRegister(identifier: "b"), to: harness)
        #expect(late.refusal == .keysOutdated)
        let row = try await harness.device(device)
        #expect(row?.notificationIdentifier == "a")
        device.platformKeys = old
        #expect(try await device.send(synchronize(device), to: harness).refusal == nil)
        #expect(device.platformKeys.sequence == 2)
        #expect(try await device.send(.notificationsRegister(identifier: "b"), to: harness).refusal == nil)
    }

    @Test func `a repeat of a request with an outdated key says the same, sealed and signed with the present keys`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let old = device.platformKeys
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.sealing)
        harness.time.advance(seconds: 31 * Self.day)
        let sent = try await device.seal(.notificationsRegister(identifier: "a"), to: harness)
        let first = try await harness.platform.execute(sent.command)
        #expect(try device.open(first, to: sent).refusal == .keysOutdated)
        let remembered = try await harness.store.read { [id = device.id, request = sent.message.requestID] in
            try $0.replay(device: id, request: request)
        }
        #expect(remembered?.refusal == .init(code: RefusalCode.keysOutdated.rawValue))
        #expect(device.platformKeys.sequence == 2 && device.received.count == 1)
        // The key that signed the first answer has a successor now, and a restart has opened the keys anew.
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.signing)
        harness.time.advance(seconds: 1)
        let again = try await harness.restarted().platform.execute(sent.command)
        #expect(again != first)
        device.platformKeys = old
        let answer = try device.open(again, to: sent)
        #expect(answer.refusal == .keysOutdated && answer.time == harness.time.now())
        #expect(device.platformKeys == harness.platform.keys.latest && device.received.count == 2)
        let row = try await harness.device(device)
        #expect(row?.notificationIdentifier == nil && row?.state == .pendingNotification)
        #expect(try await device.send(.notificationsRegister(identifier: "a"), to: harness).refusal == nil)
    }

    @Test func `a replaced sealing key is erased when every device has confirmed a later statement`() async throws {
        let harness = try await Harness()
        let (alice, bob) = (try await harness.activate(), try await harness.activate("bob@master"))
        let kid = alice.platformKeys.sealing(.classic)
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.sealing)
        for device in [alice, bob] { try await device.send(synchronize(device), to: harness) }
        try await alice.send(synchronize(alice), to: harness)
        harness.time.advance(seconds: 31 * Self.day)
        await erase(harness)
        #expect(harness.platform.keys.sealingKey(kid, at: harness.time.now()) != nil, "bob has not confirmed it")
        try await bob.send(synchronize(bob), to: harness)
        harness.time.advance(seconds: Self.day)
        await erase(harness)
        #expect(harness.platform.keys.sealingKey(kid, at: harness.time.now()) == nil)
        let rows = try await harness.store.read { try $0.platformKeys() }
        #expect(rows.filter { $0.id == kid }.map(\.privateKey) == [nil])
        #expect(harness.platform.platformKeys().filter { $0.id == kid }.map(\.state) == [.erased])
        let entries = try await harness.store.read { try $0.auditEntries(of: nil, before: nil, limit: 9) }
        #expect(entries.contains { $0.event == .platformKeyErased && $0.reason == Hex.encode(kid) })
        #expect(try await harness.restarted().platform.keys.latest == harness.platform.keys.latest)
    }

    @Test func `after 400 days a replaced sealing key opens nothing, also for a device that was offline`() async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate()
        let kid = device.platformKeys.sealing(.classic)
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.sealing)
        harness.time.advance(seconds: 400 * Self.day)
        #expect(try await device.send(synchronize(device), to: harness).refusal == nil)
        device.platformKeys = try KeyStatement.verified(first: device.provisioning.statement, suite: .classic)
        harness.time.advance(milliseconds: 1)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await device.send(synchronize(device), to: harness)
        }
        harness.time.advance(seconds: Self.day)
        await erase(harness)
        let rows = try await harness.store.read { try $0.platformKeys() }
        #expect(rows.filter { $0.id == kid }.map(\.privateKey) == [nil])
    }

    @Test func `the private half of a replaced signing key is erased after a day, and its public half stays`()
        async throws
    {
        let harness = try await Harness()
        let kid = harness.platform.keys.signingKey(at: harness.time.now()).kid
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.signing)
        harness.time.advance(seconds: Self.day)
        await erase(harness)
        #expect(harness.platform.keys.signing.count == 2)
        harness.time.advance(seconds: Self.day)
        await erase(harness)
        #expect(harness.platform.keys.signing.count == 1)
        let statements = try harness.platform.keyStatements()
        #expect(statements.last?.keys.contains { $0.id == kid } == true)
    }

    @Test func `an announced key is listed at once, used from its time on, and has no successor before`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let old = harness.platform.keys.signingKey(at: harness.time.now()).kid
        let oldSealing = device.platformKeys.sealing(.classic)
        harness.time.advance(seconds: 60)
        try await harness.platform.rotateKeys(.all, startingIn: .seconds(7 * Self.day))
        await #expect(throws: PlatformError(.keyAnnounced)) { try await harness.platform.rotateKeys(.signing) }
        await #expect(throws: PlatformError(.malformedRequest)) {
            try await harness.platform.rotateKeys(.all, startingIn: .seconds(367 * Self.day))
        }
        #expect(harness.platform.keys.statements.count == 2)
        let states = harness.platform.platformKeys().map(\.state)
        #expect(states.count { $0 == .announced } == 4 && states.count { $0 == .current } == 4)
        try await device.send(synchronize(device), to: harness)
        #expect(device.platformKeys.sequence == 2)
        #expect(harness.platform.keys.signingKey(at: harness.time.now()).kid == old)
        #expect(try device.platformKeys.sealingKey(of: .classic, at: harness.time.now()).kid == oldSealing)
        harness.time.advance(seconds: 7 * Self.day)
        #expect(harness.platform.keys.signingKey(at: harness.time.now()).kid != old)
        #expect(try device.platformKeys.sealingKey(of: .classic, at: harness.time.now()).kid != oldSealing)
        #expect(try await device.send(synchronize(device), to: harness).refusal == nil)
        #expect(harness.platform.platformKeys().count { $0.state == .retired } == 4)
        try await harness.platform.rotateKeys(.signing)
    }

    @Test func `a device confirms no statement that does not exist`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let request = RequestBody.synchronize(generation: 0, counters: [], statement: 1_000)
        #expect(try await device.send(request, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.keyStatement == 1)
    }
}

extension KeyStatement {
    /// The id of the latest sealing key of a suite.
    fileprivate func sealing(_ suite: Suite) -> [UInt8] {
        (try? sealingKey(of: suite, at: Timestamp(millisecondsSinceEpoch: .max)))?.kid ?? []
    }
}
