import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// What becomes of approval requests when devices, accounts and stores change, and when time passes.
@Suite struct ApprovalUpkeepTests {
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
    }

    @Test func `the sweep ends what has expired, and removes it ten minutes later`() async throws {
        let report = try await harness.requestLogin(showsNumbers: true)
        harness.time.advance(seconds: 121)
        try await harness.sweep()
        let record = try await harness.record(of: report)
        #expect(record.state == .expired && record.number == nil && record.endedAt == harness.time.now())
        #expect(try await harness.events(.approvalEnded).map(\.reason) == ["expired"])
        #expect(try await harness.status(of: report).status == .timeout)
        harness.time.advance(seconds: 601)
        try await harness.sweep()
        await #expect(throws: PlatformError(.unknownApproval)) { try await harness.status(of: report) }
    }

    @Test func `the audit log has no name of an unknown user, however a request ends`() async throws {
        let typed = "typed-by-a-stranger@master"
        _ = try await harness.requestLogin(typed, source: "a")
        _ = try await harness.requestLogin(typed, source: "a")
        let canceled = try await harness.requestLogin(typed, source: "b")
        _ = try await harness.platform.cancelApproval(requestID: canceled.requestID)
        let known = try await harness.requestLogin(source: "a")
        _ = try await harness.platform.cancelApproval(requestID: known.requestID)
        harness.time.advance(seconds: 121)
        try await harness.sweep()
        let ended = try await harness.events(.approvalEnded).reversed()
        #expect(ended.map(\.reason) == ["replaced", "canceled", "canceled", "expired"])
        #expect(ended.map(\.account) == [nil, nil, Harness.alice, nil])
        let log = String(decoding: try await harness.exportAudit(), as: UTF8.self)
        #expect(log.contains(Harness.alice) && !log.contains("typed-by-a-stranger"))
    }

    @Test func `a receipt is kept for 400 days`() async throws {
        let report = try await harness.requestLogin()
        try await phone.decide(.approved, on: report, with: harness)
        harness.time.advance(seconds: 400 * 86_400 - 1)
        try await harness.sweep()
        #expect(try await harness.status(of: report).receipt != nil)
        harness.time.advance(seconds: 61)
        try await harness.sweep()
        await #expect(throws: PlatformError(.unknownApproval)) { try await harness.status(of: report) }
        let decision = try #require(report.decision)
        #expect(try await harness.store.read { try $0.policyDecision(decision) } == nil)
    }

    @Test func `a revoked device answers nothing, and its token opens no stream`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let signed = try await phone.answer(approval, .approved, with: harness)
        try await phone.registerNotifications(with: harness)
        let token = try await phone.openNotifications(with: harness)
        try await harness.platform.revokeDevice(phone.id, of: Harness.account(), requestedBy: .administrator)
        #expect(try await phone.send(signed, to: harness).refusal == .revoked)
        await #expect(throws: PlatformError(.invalidStreamToken)) {
            _ = try await harness.platform.notifications(channel: "pull:1", token: token)
        }
        #expect(try await harness.status(of: report).status == .pending)
    }

    @Test func `the requests of a removed account are canceled`() async throws {
        let report = try await harness.requestLogin()
        try await harness.platform.unregister(Harness.account())
        #expect(try await harness.status(of: report).declineReason == .canceled)
        #expect(try await harness.risk() == RiskState())
    }

    @Test func `a request from before a restore cannot be answered`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let signed = try await phone.answer(approval, .approved, with: harness)
        let after = try await harness.restarted(on: harness.snapshot())
        try await after.platform.markRestored(revocations: .nothingRevoked)
        harness.time.advance(milliseconds: 1)
        // The receipt of the answer may exist already, in the life of the store that was lost.
        let late = try await phone.send(.approvalAnswer(signed), proof: .password, lifetime: 300_000, to: after)
        #expect(late.refusal == .expired || late.refusal == .approvalExpired)
        harness.time.advance(seconds: 1)
        #expect(try await after.status(of: report).status == .pending)
    }

    @Test func `a pending request is refused from its expiry on, and after a restore at its creation or later`() {
        let (record, created) = (Rows.approval(), Rows.now)
        let refusals: [(Int64, Int64?, RefusalCode?)] = [
            (119_999, nil, nil), (120_000, nil, .approvalExpired), (10, -1, nil), (10, 0, .approvalExpired),
            (10, 1, .approvalExpired),
        ]
        for (now, restored, refusal) in refusals {
            let restoredAt = restored.map { created.advanced(milliseconds: $0) }
            let found = record.refusalOfEnded(at: created.advanced(milliseconds: now), restoredAt: restoredAt)
            #expect(found == refusal, "\(now) \(restored ?? 0)")
        }
        // The answer of the user came before the backup.
        #expect(Rows.rejectedApproval(1).refusalOfEnded(at: created, restoredAt: created) == .approvalAnswered)
    }

    @Test func `an altered row of a request is not answered`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        try await harness.store.write { store in
            guard var row = try report.id.flatMap({ try store.approval($0) }) else { throw PlatformError(.internal) }
            row.acceptedMethods = [.possession]
            try requireWritten(store.update(row))
        }
        let answer = try await phone.answer(approval, .approved, with: harness)
        #expect(try await phone.send(answer, to: harness).refusal == .approvalUnknown)
        await #expect(throws: PlatformError(.alteredRow)) { try await harness.status(of: report) }
    }

    @Test func `a pending device may ask for no approvals`() async throws {
        let code = try await harness.register("bob")
        let device = try await Authenticator.exchangeKeys("bob", code: code, with: harness)
        for body in [RequestBody.approvalList, .approvalFetch(id: phone.id), .notificationsOpen] {
            #expect(try await device.send(body, moves: false, to: harness).refusal == .notPermitted)
        }
    }
}
