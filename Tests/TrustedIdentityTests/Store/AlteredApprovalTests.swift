import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Rows about approvals that a writer to the database changed without the master key: what the platform detects, and
/// what the writer gets where it does not.
struct AlteredApprovalTests {
    let harness: Harness
    let lines = LogLines()
    let platform: Platform
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
        platform = try await harness.platform(on: harness.store, logger: lines.logger)
    }

    private func row(of report: ApprovalReport) async throws -> ApprovalRecord {
        let id = try #require(report.id)
        return try #require(await harness.store.read { try $0.approval(id) })
    }

    /// Changes a row, and leaves its HMAC.
    private func put(_ row: ApprovalRecord) async throws {
        try await harness.store.write { try $0.alter(row) }
    }

    /// Returns a row with its HMAC as it is now.
    private func keptRow(of report: ApprovalReport) async throws -> KeptRow<ApprovalRecord> {
        let row = try await row(of: report)
        return try await harness.store.write { try $0.keptRow(row) }
    }

    @Test func `a request whose principal was edited reaches no device`() async throws {
        let report = try await harness.requestLogin(requestID: "r", principal: "k1")
        var edited = try await row(of: report)
        let place = try #require(edited.request.firstRange(of: Array("Site k1".utf8))?.lowerBound)
        edited.request[place] ^= 1
        try await put(edited)
        await #expect(throws: RefusedApproval(code: .approvalUnknown)) { try await phone.fetch(report, from: harness) }
        await #expect(throws: PlatformError(.alteredRow)) { try await platform.approval(requestID: "r", of: "k1") }
    }

    @Test func `a request that was moved to another account is unknown there, and an error for its caller`()
        async throws
    {
        let bob = try await harness.activate("bob")
        let report = try await harness.requestLogin()
        var moved = try await row(of: report)
        moved.account = "bob@master"
        try await put(moved)
        await #expect(throws: RefusedApproval(code: .approvalUnknown)) { try await bob.fetch(report, from: harness) }
        await #expect(throws: RefusedApproval(code: .approvalUnknown)) { try await phone.fetch(report, from: harness) }
        for device in [phone, bob] {
            let answer = try await device.send(.approvalList, to: harness)
            guard case .accepted(let body) = answer.result else { throw RefusedApproval(code: answer.refusal) }
            #expect(body.answer(to: ApprovalListMessage.self)?.approvals == [])
        }
        await #expect(throws: PlatformError(.alteredRow)) {
            try await platform.approval(requestID: report.requestID)
        }
        await #expect(throws: PlatformError(.alteredRow)) {
            try await platform.cancelApproval(requestID: report.requestID)
        }
        #expect(lines.alterations.allSatisfy { $0.hasSuffix(" row.table=approval") } && lines.alterations.count == 2)
    }

    @Test func `a request without its number, and one with another accepted method, take no answer`() async throws {
        let edits: [@Sendable (inout ApprovalRecord) -> Void] = [
            { $0.number = nil }, { $0.acceptedMethods.insert(.possession) },
            { ($0.state, $0.endedAt, $0.number) = (.approved, $0.createdAt, nil) },
            { $0.expiresAt = $0.expiresAt.advanced(seconds: 3_600) }, { $0.isAnnounced.toggle() },
        ]
        for edit in edits {
            let report = try await harness.requestLogin(showsNumbers: true)
            let approval = try await phone.fetch(report, from: harness)
            var edited = try await row(of: report)
            edit(&edited)
            try await put(edited)
            let answer = try await phone.answer(approval, .approved, number: report.numberToMatch, with: harness)
            #expect(try await phone.send(answer, to: harness).refusal == .approvalUnknown)
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.status(of: report) }
        }
    }

    @Test func `a notice that a writer changes or adds is not sent`() async throws {
        for notice in [nil, try RefusalNotice(text: "Sold out")] {
            let report = try await harness.requestLogin()
            _ = try await platform.cancelApproval(requestID: report.requestID, notice: notice)
            var edited = try await row(of: report)
            edited.notice = try RefusalNotice(text: "Call +1 555 0100")
            try await put(edited)
            let answer = try await phone.send(.approvalFetch(id: #require(report.id)), to: harness)
            #expect(answer.refusal == .approvalUnknown && answer.extensions == .none)
        }
    }

    @Test func `a request with another notice for a refused answer takes no answer`() async throws {
        for notice in [nil, try RefusalNotice(text: "Call us")] {
            let report = try await platform.requestApproval(
                ApprovalParameters(.login, of: try Harness.account(), refusalNotice: notice))
            let approval = try await phone.fetch(report, from: harness)
            var edited = try await row(of: report)
            edited.refusalNotice = try RefusalNotice(text: "Call +1 555 0100")
            try await put(edited)
            let answer = try await phone.send(phone.answer(approval, .approved, with: harness), to: harness)
            #expect(answer.refusal == .approvalUnknown && answer.extensions == .none)
        }
    }

    /// What is not detected, as the threat model says: this row has no HMAC.
    @Test func `the memory of an earlier time ends the strict mode`() async throws {
        let first = try await harness.requestLogin(showsNumbers: true)
        let before = try await harness.store.write { store in
            try store.keptRow(#require(try store.accountRisk(Harness.alice)))
        }
        try await phone.decide(.rejected(.notMe), on: first, by: .password, with: harness)
        #expect(try await harness.requestLogin(showsNumbers: true).status == .refused)
        try await harness.store.write { try $0.putBack(before) }
        #expect(try await harness.requestLogin(showsNumbers: true).status == .pending)
    }

    /// Nor is a row as a whole, which has the HMAC of its time: what a writer gets is another answer of the user's
    /// device, and a second receipt.
    @Test func `a request of an earlier time waits again, and only the user's device answers it`() async throws {
        let report = try await harness.requestLogin(showsNumbers: true)
        let approval = try await phone.fetch(report, from: harness)
        let before = try await keptRow(of: report)
        let other = report.numberToMatch == "000000" ? "000001" : "000000"
        let wrong = try await phone.answer(approval, .approved, number: other, with: harness)
        #expect(try await phone.send(wrong, to: harness).refusal == .wrongNumber)
        try await harness.store.write { try $0.putBack(before) }
        #expect(try await harness.status(of: report).status == .pending)
        // A guess at the number for each time that the row is put back, until the request expires.
        #expect(try await phone.send(wrong, to: harness).refusal == .wrongNumber)
        try await harness.store.write { try $0.putBack(before) }
        harness.time.advance(seconds: 120)
        #expect(try await phone.send(wrong, to: harness).refusal == .approvalExpired)
        #expect(try await harness.status(of: report).status == .timeout)
    }

    @Test func `a stream token that a writer inserts opens a stream of pointers, which open nothing`() async throws {
        try await phone.registerNotifications(with: harness)
        let bob = try await harness.activate("bob")
        let report = try await harness.requestLogin()
        let token = StreamToken(bytes: [UInt8](repeating: 7, count: 16))
        try await harness.store.write { [id = phone.id, now = harness.time.now()] store in
            try requireWritten(store.insert(token.record(of: id, now: now)))
        }
        var events = try await platform.notifications(channel: "pull:1", token: token.bytes).makeAsyncIterator()
        #expect(try await events.next() == .approval(id: #require(report.id), pointer: #require(report.pointer)))
        await #expect(throws: RefusedApproval(code: .approvalUnknown)) { try await bob.fetch(report, from: harness) }
    }

    @Test func `an edited decision record decides nothing`() async throws {
        let report = try await harness.requestPayment("20")
        let id = try #require(report.decision)
        let record = try #require(await harness.store.read { try $0.policyDecision(id) })
        var edited = try DecisionRecord(decoding: record.record)
        edited = DecisionRecord(
            id: edited.id, time: edited.time, account: "bob@master", summary: edited.summary, decision: edited.decision)
        let bytes = edited.encoded
        try await harness.store.write { store in
            try store.alter(
                PolicyDecisionRecord(
                    id: id, account: Harness.alice, createdAt: record.createdAt, record: bytes,
                    keptUntil: record.keptUntil))
        }
        // The request that was signed names the method, and the row the accepted ones.
        let approval = try await phone.fetch(report, from: harness)
        #expect(approval.content.decisionRecord == id && approval.content.approvalMethod == report.method)
    }
}
