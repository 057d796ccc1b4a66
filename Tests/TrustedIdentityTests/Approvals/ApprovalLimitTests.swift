import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// How many approval requests wait side by side, which ones are announced, and what the policy remembers.
@Suite struct ApprovalLimitTests {
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
    }

    @Test func `a newer login replaces the one of the same source, and no other`() async throws {
        let first = try await harness.requestLogin(source: "a")
        let other = try await harness.requestLogin(source: "b")
        let second = try await harness.requestLogin(source: "a")
        #expect(try await harness.status(of: first).declineReason == .replaced)
        #expect(try await harness.status(of: other).status == .pending)
        #expect(try await harness.status(of: second).status == .pending)
        // The session stands for a source that is unknown.
        let third = try await harness.requestLogin(session: "s")
        let fourth = try await harness.requestLogin(session: "s")
        #expect(try await harness.status(of: third).declineReason == .replaced)
        #expect(fourth.status == .pending)
    }

    @Test func `sixteen requests of an account wait, and no more`() async throws {
        for number in 1...16 { #expect(try await harness.requestPayment("\(number)").status == .pending) }
        let more = try await harness.requestPayment("17")
        #expect(more.status == .refused && more.declineReason == .tooManyPending)
        #expect(try await harness.requestLogin().declineReason == .tooManyPending)
        harness.time.advance(seconds: 121)
        #expect(try await harness.requestPayment("18").status == .pending)
    }

    @Test func `the fourth request in ten minutes is made and not announced`() async throws {
        for number in 0..<3 {
            let report = try await harness.requestLogin(source: "\(number)")
            #expect(try await harness.record(of: report).isAnnounced)
        }
        _ = try await harness.platform.cancelApproval(requestID: harness.pending()[0].requestID)
        let fourth = try await harness.requestLogin(source: "3")
        #expect(fourth.status == .pending && fourth.pointer != nil)
        #expect(try await !harness.record(of: fourth).isAnnounced)
        #expect(try await phone.fetch(fourth, from: harness).content.kind == .login)
    }

    @Test func `a rejection as not the user's silences what waits, and a weak approval is refused`() async throws {
        let first = try await harness.requestLogin(source: "a")
        let second = try await harness.requestLogin(source: "b")
        let third = try await harness.requestLogin(source: "c", showsNumbers: true)
        try await phone.decide(.rejected(.notMe), on: first, by: .password, with: harness)
        for other in [second, third] { #expect(try await !harness.record(of: other).isAnnounced) }
        // Without a number, the strict mode accepts no approval, also of a request from before it.
        let approval = try await phone.fetch(second, from: harness)
        let weak = try await phone.answer(approval, .approved, with: harness)
        #expect(try await phone.send(weak, to: harness).refusal == .methodRefused)
        #expect(try await harness.status(of: second).declineReason == .methodRefused)
        let answer = try await phone.decide(.approved, on: third, number: third.numberToMatch, with: harness)
        #expect(answer.receipt != nil)
        #expect(try await harness.status(of: third).status == .accepted)
    }

    @Test func `the notice for a refused answer comes with that refusal and its repetition, and with no other end`()
        async throws
    {
        let notice = try RefusalNotice(text: "Call us", payload: [1, 2])
        let reports = try await ["a", "b", "c"].asyncMap { source in
            try await harness.platform.requestApproval(
                ApprovalParameters(
                    .login, of: try Harness.account(), risk: RiskInput(source: source), refusalNotice: notice))
        }
        #expect(try await harness.record(of: reports[0]).refusalNotice == notice)
        let rejection = try await phone.decide(.rejected(.notMe), on: reports[0], by: .password, with: harness)
        #expect(rejection.notice == nil && rejection.receipt != nil)
        #expect(try await harness.record(of: reports[0]).refusalNotice == nil)
        let approval = try await phone.fetch(reports[1], from: harness)
        let weak = try await phone.answer(approval, .approved, with: harness)
        for _ in 1...2 {
            let refused = try await phone.send(weak, to: harness)
            #expect(refused.refusal == .methodRefused && refused.notice == notice)
        }
        // The request has ended, and another device of the account gets no notice.
        let tablet = try await harness.activate()
        let late = try await tablet.send(.approvalFetch(id: #require(reports[1].id)), to: harness)
        #expect(late.refusal == .approvalAnswered && late.notice == nil)
        _ = try await harness.platform.cancelApproval(requestID: reports[2].requestID)
        let canceled = try await phone.send(.approvalFetch(id: #require(reports[2].id)), to: harness)
        #expect(canceled.refusal == .approvalCanceled && canceled.notice == nil)
        #expect(try await harness.record(of: reports[2]).refusalNotice == nil)
    }

    @Test func `a payment that a rule accepts counts as one without a strong approval`() async throws {
        let limit = MonetaryAmount(minorUnits: 10_000, currency: try Currency("EUR"))
        let rules = try #require(
            PolicyRules([
                PolicyRule(checked: "small", when: [.smallPayments(fewerThan: 5, lessThan: limit)], then: .accept),
                PolicyRule(checked: "others", then: .refuse),
            ]))
        let policy = try #require(Policy(name: "accepts", transactions: rules))
        let harness = try await Harness(PlatformConfiguration(policy: policy, requestsPerDevice: 6_000))
        _ = try await harness.activate()
        var statuses: [ApprovalReport.Status] = []
        for _ in 0..<7 { statuses.append(try await harness.requestPayment("1").status) }
        #expect(statuses == [.accepted, .accepted, .accepted, .accepted, .accepted, .refused, .refused])
    }

    @Test func `a rejection as not the user's by the password makes the account strict for a day`() async throws {
        let report = try await harness.requestLogin()
        try await phone.decide(.rejected(.notMe), on: report, by: .password, with: harness)
        // A site without numbers, and a source that is unknown.
        #expect(try await harness.requestLogin().declineReason == .policy)
        #expect(try await harness.requestLogin(source: "a", showsNumbers: true).declineReason == .policy)
        harness.time.advance(seconds: 86_401)
        #expect(try await harness.requestLogin().status == .pending)
    }

    @Test func `small payments by possession end after five, and payments that wait count`() async throws {
        let first = try await harness.requestPayment("10")
        #expect(first.method == .password, "a creditor that is new")
        try await phone.decide(.approved, on: first, with: harness)
        var methods: [AuthenticationMethod?] = []
        for _ in 0..<6 { methods.append(try await harness.requestPayment("10").method) }
        #expect(methods == Array(repeating: .possession, count: 5) + [.password])
    }

    @Test func `a payment by possession is counted when it is approved`() async throws {
        try await phone.decide(.approved, on: harness.requestPayment("10"), with: harness)
        let small = try await harness.requestPayment("29.99")
        #expect(small.method == .possession)
        try await phone.decide(.approved, on: small, with: harness)
        let risk = try await harness.risk()
        #expect(risk.smallPayments.count == 1)
        #expect(try risk.smallPayments.sum(in: Currency("EUR")) == 2_999)
    }

    @Test func `an approved login makes its source known, and ends no count of wrong codes`() async throws {
        for _ in 0..<4 { _ = try await harness.login("00000000", source: "home") }
        let report = try await harness.requestLogin(source: "home")
        try await phone.decide(.approved, on: report, with: harness)
        let rows = try await harness.store.read { try $0.throttles(of: Harness.alice) }
        #expect(rows.first { $0.key.source.isEmpty }?.consecutive == 4)
        #expect(rows.contains { !["", "overall"].contains($0.key.source) })
    }

    @Test func `a session makes no source known`() async throws {
        let report = try await harness.requestLogin(session: "s1")
        try await phone.decide(.approved, on: report, with: harness)
        let rows = try await harness.store.read { try $0.throttles(of: Harness.alice) }
        #expect(rows.allSatisfy { ["", "overall"].contains($0.key.source) })
    }

    @Test func `the record of a decision says which rule fired`() async throws {
        let report = try await harness.requestLogin()
        let id = try #require(report.decision)
        let row = try await harness.store.read { try $0.policyDecision(id) }
        let record = try DecisionRecord(decoding: #require(row).record)
        #expect(record.decision.rule == "remote login" && record.decision.number == .notShown)
        #expect(record.account == Harness.alice && record.id == id)
    }
}

extension Harness {
    func record(of report: ApprovalReport) async throws -> ApprovalRecord {
        let record = try await store.read { store in try report.id.flatMap { try store.approval($0) } }
        guard let record else { throw PlatformError(.unknownApproval) }
        return record
    }

    func pending(_ user: String = alice) async throws -> [ApprovalRecord] {
        try await store.read { try $0.pendingApprovals(of: user) }
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
