import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Approval requests from the application server to the receipt.
@Suite struct ApprovalTests {
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
    }

    @Test func `a login that the user approves is accepted, with a receipt`() async throws {
        let report = try await harness.requestLogin(session: "s1")
        #expect(report.status == .pending && report.method == .password && report.numberToMatch == nil)
        let answer = try await phone.decide(.approved, on: report, with: harness)
        let parts = try #require(answer.receipt)
        let ended = try await harness.status(of: report)
        #expect(ended.status == .accepted && ended.declineReason == nil)
        #expect(ended.receipt == parts.encoded)
        let receipt = try Receipt(parts).verify(with: phone.platformKeys)
        #expect(receipt.outcome == .approved && receipt.verifiedMethod == .password)
        let id = try #require(report.decision)
        let decision = try #require(try await harness.platform.decision(id))
        #expect(receipt.decisionRecord == decision.id && decision.decision.rule == "remote login")
        #expect(try await harness.platform.decision([UInt8](repeating: 0, count: 16)) == nil)
        let entries = try await harness.events(.approvalAnswered)
        #expect(entries.map(\.reason) == ["approved"] && entries.first?.device == phone.id)
    }

    @Test(arguments: RejectionReason.allCases)
    func `a rejection reaches the application server with its reason`(reason: RejectionReason) async throws {
        let report = try await harness.requestLogin()
        let answer = try await phone.decide(.rejected(reason), on: report, with: harness)
        #expect(answer.receipt != nil)
        let ended = try await harness.status(of: report)
        #expect(ended.status == .refused && ended.declineReason?.rawValue == reason.description)
        #expect(try Receipt(#require(answer.receipt)).verify(with: phone.platformKeys).outcome == .rejected)
    }

    @Test func `the device gets exactly what was signed, and the number is nowhere in it`() async throws {
        let report = try await harness.requestLogin(session: "session 1", requestID: "r-1", showsNumbers: true)
        let number = try #require(report.numberToMatch)
        #expect(number.utf8.count == 6)
        let approval = try await phone.fetch(report, from: harness)
        #expect(approval.content.sessionID == "session 1" && approval.content.requestID == "r-1")
        #expect(approval.content.digits == 6 && approval.content.decisionRecord == report.decision)
        let record = try await harness.store.read { [id = try #require(report.id)] in try $0.approval(id) }
        let digits = Array(number.utf8)
        let signed = try #require(record).request
        #expect(!signed.indices.contains { signed[$0...].starts(with: digits) })
    }

    @Test func `the right number is accepted, and a wrong one ends the request`() async throws {
        let right = try await harness.requestLogin(showsNumbers: true)
        let answer = try await phone.decide(.approved, on: right, number: right.numberToMatch, with: harness)
        #expect(answer.receipt != nil)
        #expect(try await harness.status(of: right).status == .accepted)
        let wrong = try await harness.requestLogin(showsNumbers: true)
        let other = wrong.numberToMatch == "000000" ? "000001" : "000000"
        let approval = try await phone.fetch(wrong, from: harness)
        let signed = try await phone.answer(approval, .approved, number: other, with: harness)
        #expect(try await phone.send(signed, to: harness).refusal == .wrongNumber)
        let ended = try await harness.status(of: wrong)
        #expect(ended.status == .refused && ended.declineReason == .wrongNumber && ended.numberToMatch == nil)
        let receipt = try #require(ended.receipt)
        #expect(try Receipt(bytes: receipt).verify(with: phone.platformKeys).outcome == .wrongNumber)
        // The same answer again, in another message, and the right number afterwards.
        #expect(try await phone.send(signed, to: harness).refusal == .wrongNumber)
        let again = try await phone.answer(approval, .approved, number: wrong.numberToMatch, with: harness)
        #expect(try await phone.send(again, to: harness).refusal == .approvalAnswered)
        let risk = try await harness.risk()
        #expect(risk.rejections.count == 1)
    }

    @Test(
        arguments: [(-300_001, .malformed), (-300_000, nil), (119_999, nil), (120_000, .approvalExpired)]
            as [(Int64, RefusalCode?)])
    func `an answer has a time near the time of the platform, and before the expiry`(
        error: Int64, refusal: RefusalCode?
    ) async throws {
        let approval = try await phone.fetch(try await harness.requestLogin(), from: harness)
        let answer = try await phone.answer(approval, .approved, clockError: error, with: harness)
        #expect(try await phone.send(answer, to: harness).refusal == refusal)
    }

    @Test func `a repetition of an answer gets the receipt again, and counts nothing`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let signed = try await phone.answer(approval, .rejected(.canceled), with: harness)
        let first = try await phone.send(signed, proof: .possession, to: harness)
        let second = try await phone.send(signed, proof: .possession, to: harness)
        #expect(first.receipt != nil && first.receipt == second.receipt)
        #expect(try await harness.risk().rejections.count == 1)
    }

    @Test func `of two devices that answer, the first one counts`() async throws {
        let tablet = try await harness.activate()
        let report = try await harness.requestLogin()
        let (first, second) = (
            try await phone.fetch(report, from: harness), try await tablet.fetch(report, from: harness)
        )
        #expect(first.hash == second.hash)
        let rejection = try await tablet.answer(second, .rejected(.notMe), with: harness)
        _ = try await tablet.send(rejection, proof: .possession, to: harness)
        let late = try await phone.send(phone.answer(first, .approved, with: harness), to: harness)
        #expect(late.refusal == .approvalAnswered)
        #expect(try await harness.status(of: report).declineReason == .notMe)
    }

    @Test func `a wrong password leaves the request pending and counts against the device`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let signed = try await phone.answer(approval, .approved, with: harness)
        let refused = try await phone.send(signed, wrong: true, to: harness)
        #expect(refused.refused == Refusal(.wrongPassword, remainingTries: 4))
        #expect(try await harness.status(of: report).status == .pending)
        #expect(try await phone.send(signed, to: harness).receipt != nil)
        #expect(try await harness.device(phone)?.passwordFailures == 0)
    }

    @Test func `the fifth wrong password locks the device, and another device can answer`() async throws {
        let tablet = try await harness.activate()
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let signed = try await phone.answer(approval, .approved, with: harness)
        for left in [4, 3, 2, 1, 0] as [UInt64] {
            let refused = try await phone.send(signed, wrong: true, to: harness)
            #expect(refused.refused?.remainingTries == left)
        }
        #expect(try await phone.send(signed, to: harness).refusal == .locked)
        #expect(try await tablet.decide(.approved, on: report, with: harness).receipt != nil)
    }

    @Test func `the notice of a cancellation comes with the refusal, to the devices of the account alone`() async throws
    {
        let (tablet, bob) = (try await harness.activate(), try await harness.activate("bob"))
        let notice = try RefusalNotice(text: "Sold out – désolé", payload: [0, 0xFF])
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        _ = try await harness.platform.cancelApproval(requestID: report.requestID, notice: notice)
        // The first notice counts.
        let other = try RefusalNotice(text: "Other")
        _ = try await harness.platform.cancelApproval(requestID: report.requestID, notice: other)
        let id = try #require(report.id)
        for device in [phone, tablet] {
            let fetched = try await device.send(.approvalFetch(id: id), to: harness)
            #expect(fetched.refusal == .approvalCanceled && fetched.notice == notice)
        }
        let answered = try await phone.send(phone.answer(approval, .approved, with: harness), to: harness)
        #expect(answered.refusal == .approvalCanceled && answered.notice == notice)
        let foreign = try await bob.send(.approvalFetch(id: id), to: harness)
        #expect(foreign.refusal == .approvalUnknown && foreign.extensions == .none)
        // Another refusal and an acceptance have none.
        let replaced = try await harness.requestLogin(source: "browser")
        _ = try await harness.requestLogin(source: "browser")
        let late = try await phone.send(.approvalFetch(id: #require(replaced.id)), to: harness)
        #expect(late.refusal == .approvalReplaced && late.extensions == .none)
        #expect(try await phone.send(.approvalList, to: harness).extensions == .none)
    }

    @Test func `a request that was canceled, replaced or has expired is refused by name`() async throws {
        let canceled = try await harness.requestLogin()
        #expect(try await harness.platform.cancelApproval(requestID: canceled.requestID).declineReason == .canceled)
        #expect(try await harness.platform.cancelApproval(requestID: canceled.requestID).status == .refused)
        await #expect(throws: RefusedApproval(code: .approvalCanceled)) {
            try await phone.fetch(canceled, from: harness)
        }
        let old = try await harness.requestLogin(source: "browser")
        let approval = try await phone.fetch(old, from: harness)
        let new = try await harness.requestLogin(source: "browser")
        let late = try await phone.send(phone.answer(approval, .approved, with: harness), to: harness)
        #expect(late.refusal == .approvalReplaced)
        #expect(try await harness.status(of: old).declineReason == .replaced)
        harness.time.advance(seconds: 120)
        await #expect(throws: RefusedApproval(code: .approvalExpired)) { try await phone.fetch(new, from: harness) }
        #expect(try await harness.status(of: new).status == .timeout)
        await #expect(throws: PlatformError(.approvalEnded)) {
            try await harness.platform.cancelApproval(requestID: new.requestID)
        }
    }

    @Test func `the request of another account is unknown to a device`() async throws {
        let bob = try await harness.activate("bob")
        let report = try await harness.requestLogin()
        await #expect(throws: RefusedApproval(code: .approvalUnknown)) { try await bob.fetch(report, from: harness) }
        let approval = try await phone.fetch(report, from: harness)
        let foreign = try await bob.send(bob.answer(approval, .approved, with: harness), to: harness)
        #expect(foreign.refusal == .approvalUnknown)
        // An answer that another device has signed.
        let stolen = try await bob.send(phone.answer(approval, .approved, with: harness), to: harness)
        #expect(stolen.refusal == .malformed)
        #expect(try await harness.status(of: report).status == .pending)
    }

    @Test func `the list has what waits, the oldest first, and nothing of others`() async throws {
        let login = try await harness.requestLogin()
        harness.time.advance(seconds: 1)
        let payment = try await harness.requestPayment("50")
        _ = try await harness.requestLogin("bob")
        let answer = try await phone.send(.approvalList, to: harness)
        guard case .accepted(let body) = answer.result else {
            Issue.record("the list was refused")
            return
        }
        let listed = try #require(body.answer(to: ApprovalListMessage.self)).approvals
        #expect(listed.map(\.id) == [login.id, payment.id].compactMap(\.self))
        #expect(listed.map(\.kind) == [.login, .transaction])
        harness.time.advance(seconds: 119)
        let later = try await phone.send(.approvalList, to: harness)
        guard case .accepted(let left) = later.result else { return }
        #expect(left.answer(to: ApprovalListMessage.self)?.approvals.map(\.id) == [payment.id].compactMap(\.self))
    }

    @Test func `the list says which requests are announced: none after a rejection as not the user's`() async throws {
        try await phone.decide(.approved, on: harness.requestLogin(source: "home"), with: harness)
        let first = try await harness.requestLogin(source: "a")
        func listed() async throws -> [Bool] {
            let answer = try await phone.send(.approvalList, to: harness)
            guard case .accepted(let body) = answer.result else { throw RefusedApproval(code: answer.refusal) }
            return body.answer(to: ApprovalListMessage.self)?.approvals.map(\.isAnnounced) ?? []
        }
        #expect(try await listed() == [true])
        try await phone.decide(.rejected(.notMe), on: first, with: harness)
        // Nothing is pushed for an hour.
        #expect(try await harness.requestLogin(source: "home", showsNumbers: true).status == .pending)
        #expect(try await listed() == [false])
    }

    @Test func `a wait ends with the answer, and with the timeout`() async throws {
        let platform = harness.platform
        let report = try await harness.requestLogin()
        async let waited = platform.approval(requestID: report.requestID, waiting: .seconds(60))
        await harness.time.sleepers(1)
        try await phone.decide(.approved, on: report, with: harness)
        #expect(try await waited.status == .accepted)
        let slow = try await harness.requestLogin()
        async let timedOut = platform.approval(requestID: slow.requestID, waiting: .seconds(30))
        await harness.time.sleepers(1)
        harness.time.advance(seconds: 30)
        #expect(try await timedOut.status == .pending)
        async let expired = platform.approval(requestID: slow.requestID, waiting: .seconds(300))
        await harness.time.sleepers(1)
        harness.time.advance(seconds: 90)
        #expect(try await expired.status == .timeout)
    }

    @Test func `an approval request belongs to the caller that made it`() async throws {
        let report = try await harness.requestLogin(requestID: "r", principal: "k1")
        await #expect(throws: PlatformError(.unknownApproval)) { try await harness.status(of: report, principal: "k2") }
        await #expect(throws: PlatformError(.unknownApproval)) { try await harness.status(of: report) }
        await #expect(throws: PlatformError(.unknownApproval)) {
            try await harness.platform.cancelApproval(requestID: "r", of: "k2")
        }
        #expect(try await harness.status(of: report, principal: "k1").id == report.id)
        await #expect(throws: PlatformError(.requestIDInUse)) {
            try await harness.requestLogin(session: "other", requestID: "r", principal: "k1")
        }
        // Another caller may use the same id.
        #expect(try await harness.requestLogin(session: "x", requestID: "r", principal: "k2").status == .pending)
    }

    @Test func `the request id of a transaction that was approved names no other request`() async throws {
        func parameters(_ amount: String) throws -> ApprovalParameters {
            let display = try DisplayData([.amount(Amount(amount)), .currency(Currency("EUR")), .creditor("ACME")])
            return ApprovalParameters(.transaction, of: try Harness.account(), display: display, requestID: "payment")
        }
        let platform = harness.platform
        let rejected = try await platform.requestApproval(parameters("10"))
        try await phone.decide(.rejected(.canceled), on: rejected, with: harness)
        harness.time.advance(seconds: 1)
        let approved = try await platform.requestApproval(parameters("10"))
        try await phone.decide(.approved, on: approved, with: harness)
        harness.time.advance(seconds: 1)
        for amount in ["10", "11"] {
            await #expect(throws: PlatformError(.requestIDInUse)) {
                try await platform.requestApproval(parameters(amount))
            }
        }
        #expect(try await platform.approval(requestID: "payment").status == .accepted)
    }

    @Test func `a call that waits does not get the end of a later request with its request id`() async throws {
        let harness = try await Harness(answerInterval: .milliseconds(25))
        let platform = harness.platform
        func parameters(_ user: String) throws -> ApprovalParameters {
            ApprovalParameters(.login, of: try Harness.account(user), requestID: "r")
        }
        let (alice, bob) = (try parameters(Harness.alice), try parameters("bob@master"))
        async let waited = platform.requestApproval(alice, waiting: .seconds(60))
        // The request is stored, and the call waits for the tick.
        await harness.time.sleepers(1)
        _ = try await platform.cancelApproval(requestID: "r")
        harness.time.advance(milliseconds: 1)
        async let later = platform.requestApproval(bob)
        await harness.time.sleepers(2)
        harness.time.advance(milliseconds: 50)
        #expect(try await later.status == .pending)
        // The later request ends, too.
        harness.time.advance(seconds: 200)
        let report = try await waited
        #expect(report.account == Harness.alice && report.declineReason == .canceled)
    }

    @Test func `a request id is not used again with a clock that was set back`() async throws {
        let report = try await harness.requestLogin(requestID: "r")
        _ = try await harness.platform.cancelApproval(requestID: "r")
        // The later request would not be found: its caller would read the end of the earlier one.
        for milliseconds: Int64 in [0, -3_600_000] {
            harness.time.step(milliseconds: milliseconds)
            await #expect(throws: PlatformError(.requestIDInUse)) { try await harness.requestLogin(requestID: "r") }
        }
        harness.time.step(milliseconds: 3_600_001)
        let second = try await harness.requestLogin(requestID: "r")
        #expect(try await harness.status(of: second).id == second.id && second.id != report.id)
    }

    @Test func `an unknown user gets the same report, and the request expires`() async throws {
        let known = try await harness.requestLogin(showsNumbers: true)
        let unknown = try await harness.requestLogin("stranger", showsNumbers: true)
        #expect(unknown.status == known.status && unknown.method == known.method)
        #expect(unknown.numberToMatch?.utf8.count == known.numberToMatch?.utf8.count)
        #expect(unknown.pointer?.bytes.count == known.pointer?.bytes.count)
        harness.time.advance(seconds: 120)
        #expect(try await harness.status(of: unknown).status == .timeout)
    }

    @Test func `values outside their limits are refused`() async throws {
        func request(_ change: (inout ApprovalParameters) -> Void) async throws {
            var parameters = ApprovalParameters(.login, of: try Harness.account())
            change(&parameters)
            _ = try await harness.platform.requestApproval(parameters)
        }
        for lifetime in [Duration.zero, .milliseconds(999), .seconds(301), .nanoseconds(1_500_000_001)] {
            await #expect(throws: PlatformError(.malformedRequest)) { try await request { $0.lifetime = lifetime } }
        }
        for id in ["", String(repeating: "x", count: 257), "a\u{0}", "a\u{202E}b"] {
            await #expect(throws: PlatformError(.malformedRequest)) { try await request { $0.requestID = id } }
        }
        await #expect(throws: PlatformError(.malformedRequest)) {
            try await request { $0.sessionID = String(repeating: "x", count: 257) }
        }
        await #expect(throws: PlatformError(.malformedRequest)) { try await request { $0.sessionID = "a\u{0}" } }
        await #expect(throws: PlatformError(.malformedRequest)) { try await request { $0.kind = .transaction } }
    }

    /// PostgreSQL has no text with U+0000, and would report a failure of the store.
    @Test(arguments: ["", String(repeating: "x", count: 257), "a\u{0}", "a\u{202E}b"])
    func `an id that no request can have names none`(id: String) async throws {
        let platform = try await Harness().platform
        await #expect(throws: PlatformError(.unknownApproval)) { try await platform.approval(requestID: id) }
        await #expect(throws: PlatformError(.unknownApproval)) { try await platform.cancelApproval(requestID: id) }
        await #expect(throws: PlatformError(.unknownAPIKey)) { try await platform.revokeAPIKey(id) }
        #expect(try await platform.authenticate(apiKey: id + ".secret") == nil)
    }
}

extension Harness {
    /// What the policy remembers.
    func risk(_ user: String = alice) async throws -> RiskState {
        let row = try await store.read { try $0.accountRisk(user) }
        return try row.map { try RiskState(decoding: $0.state) } ?? RiskState()
    }
}
