import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Checks that a transaction repeats, because another one may commit after the rows of the decision were read.
///
/// `DecisionInterferenceTests` has those of logins, activations, devices and API keys.
@Suite struct RepeatedCheckTests {
    let base = SQLiteDatabase.inMemory()
    let store: FaultInjectingDatabase
    let harness: Harness

    init() async throws {
        store = FaultInjectingDatabase(base)
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.recordsEvents = true
        harness = try await Harness(configuration, store: base, on: store)
    }

    /// Removes the account before the next write, or creates it.
    private func changeAccountBeforeNextWrite(isRemoved: Bool) {
        store.beforeNextWrite { [harness] in
            if isRemoved {
                try await harness.platform.unregister(Harness.account())
            } else {
                _ = try await harness.register()
            }
        }
    }

    @Test func `requests at the same time for a name that no account has keep the limit`() async throws {
        let harness = harness
        for source in ["a", "b"] { _ = try await harness.requestLogin("bob", source: source) }
        store.beforeNextWrite { _ = try await harness.requestLogin("bob", source: "c") }
        _ = try await harness.requestLogin("bob", source: "d")
        #expect(!store.isArmed)
        #expect(try await base.read { try $0.pendingApprovals(of: "bob@master").count } == 3)
    }

    @Test(arguments: [true, false])
    func `a request is one of the account that is there when it is written`(isRemoved: Bool) async throws {
        if isRemoved { _ = try await harness.register() }
        changeAccountBeforeNextWrite(isRemoved: isRemoved)
        _ = try await harness.requestLogin()
        #expect(!store.isArmed)
        let entries = try await harness.events(.approvalRequested)
        #expect(entries.map { $0.subject == nil } == [isRemoved])
        if isRemoved { #expect(try await base.read { try $0.accountRisk(Harness.alice) == nil }) }
    }

    @Test(arguments: [true, false], [true, false])
    func `a wrong credential counts for the account that is there when it is written`(
        isRemoved: Bool, isCode: Bool
    ) async throws {
        if isRemoved { _ = try await harness.register() }
        changeAccountBeforeNextWrite(isRemoved: isRemoved)
        let credential: LoginRequest.Credential = isCode ? .oneTimePassword("000000") : .staticPassword("a cow")
        let decision = try await harness.platform.login(
            LoginRequest(account: Harness.account(), credential: credential))
        #expect(!store.isArmed)
        #expect(decision.reason == (isRemoved ? .unknownAccount : .wrongCredential))
        #expect(try await base.read { try $0.throttles(of: Harness.alice).isEmpty } == isRemoved)
    }

    @Test func `an activation whose count of wrong passwords ends during the last one is not dropped`() async throws {
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        for _ in 0..<4 { try await device.send(.activationPassword, proof: .password, wrong: true, to: harness) }
        store.interrupt { [id = device.id, rows = harness.platform.store.check] store in
            let store = store.checked(by: rows)
            guard var row = try store.device(id) else { return }
            row.passwordFailures = 0
            try requireWritten(store.update(row))
        }
        let answer = try await device.send(.activationPassword, proof: .password, wrong: true, to: harness)
        #expect(!store.isArmed && answer.refused?.remainingTries == 4)
        #expect(try await harness.device(device)?.state == .pending)
        #expect(try await harness.events(.activationDropped).isEmpty)
    }

    @Test func `a locked device that is revoked during the activation that replaces it is revoked once`() async throws {
        let harness = harness
        let old = try await harness.activate()
        for _ in 0..<5 { try await old.send(.passwordProve, proof: .password, wrong: true, to: harness) }
        #expect(try await harness.device(old)?.state == .locked)
        let new = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        try await new.send(.activationPassword, proof: .password, to: harness)
        store.beforeNextWrite { [id = old.id] in
            try await harness.platform.revokeDevice(id, of: Harness.account())
        }
        let complete = RequestBody.activationComplete(receiptHash: new.receipt, replacing: old.id)
        #expect(try await new.send(complete, proof: .possession, to: harness).refusal == nil)
        #expect(!store.isArmed)
        #expect(try await harness.events(.deviceRevoked).count == 1)
    }

    @Test func `of two prunings of one part at the same time one counts`() async throws {
        for _ in 0..<5 {
            try await harness.append()
            harness.time.advance(seconds: 10)
        }
        let (harness, date) = (harness, harness.time.now())
        let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
        store.beforeNextWrite {
            try await harness.platform.pruneAudit(part, before: date)
            while try await harness.platform.removePrunedRows() != nil {}
        }
        await #expect(throws: AuditError(.otherPart)) {
            try await harness.platform.pruneAudit(part, before: date)
        }
        #expect(!store.isArmed)
        #expect(try await harness.events(.auditPruned).count == 1)
        #expect(try await harness.platform.verifyAudit().findings.isEmpty)
    }

    @Test func `events that are delivered while they would be dropped leave no event about dropped ones`()
        async throws
    {
        _ = try await harness.register()
        try await harness.platform.liftBlocks(of: Harness.account())
        #expect(try await harness.waitingEvents().count == 1)
        harness.time.advance(seconds: 7 * 86_400)
        store.interrupt { _ = try $0.removeEvents(of: nil, limit: .max) }
        #expect(try await harness.platform.dropOldEvents(harness.time.now()) == 0)
        #expect(!store.isArmed)
        #expect(try await harness.waitingEvents().isEmpty)
    }

    @Test func `an answer reports wrong codes only, and writes no count that it does not report`() async throws {
        let device = try await Authenticator.exchangeKeys(
            code: try await harness.register(staticPassword: "a horse"), with: harness)
        try await device.complete(with: harness)
        _ = try await harness.platform.login(
            LoginRequest(account: Harness.account(), credential: .staticPassword("a cow")))
        #expect(try await harness.login("000000").status == .refused)
        let body = RequestBody.notificationsRegister(identifier: "pull:1")
        #expect(try await device.send(body, to: harness).failedCodes == 1)
        let counts = try await base.read { try $0.throttles(of: Harness.alice) }
        #expect(counts.contains { $0.key.kind == .staticPassword && $0.unreported == 1 })
        #expect(try await device.send(body, to: harness).failedCodes == 0)
        #expect(try await base.read { try $0.throttles(of: Harness.alice) } == counts)
    }

    @Test(arguments: [0, 1])
    func `a restore during the application of an audit log ends it, and stays suspended`(write: Int) async throws {
        let backup = base.snapshot()
        try await harness.append()
        let file = try await harness.exportAudit()
        let store = FaultInjectingDatabase(backup)
        let after = try await Harness(
            harness.configuration, store: backup, on: store, time: harness.time, random: harness.random)
        for _ in 0..<write { store.beforeNextWrite {} }
        store.beforeNextWrite { try await after.platform.markRestored(revocations: .unknown) }
        await #expect(throws: PlatformError(.busy)) { _ = try await after.restore(applying: file) }
        #expect(!store.isArmed)
        #expect(try await backup.read { try $0.currentState().suspendedBelow } == Int64(write + 1))
    }

    @Test func `an account that is registered again during its erasure is not erased`() async throws {
        let harness = harness
        _ = try await harness.register()
        // The end of the registration, the decisions and the events.
        for _ in 0..<3 { store.beforeNextWrite {} }
        store.beforeNextWrite { _ = try await harness.register() }
        await #expect(throws: PlatformError(.busy)) { _ = try await harness.platform.erase(Harness.account()) }
        #expect(!store.isArmed)
        #expect(try await base.read { try $0.account(Harness.alice) != nil })
        #expect(try await harness.events(.accountErased).isEmpty)
    }
}
