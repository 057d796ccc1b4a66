import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// What a rejection changes, by possession and by the password.
@Suite struct ApprovalRejectionTests {
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
    }

    private func rule(of report: ApprovalReport) async throws -> String {
        let id = try #require(report.decision)
        return try await harness.platform.decision(id)?.decision.rule ?? ""
    }

    /// Makes the creditor of payments known, so that a small payment asks for possession.
    private func makeCreditorKnown() async throws {
        try await phone.decide(.approved, on: harness.requestPayment("1"), with: harness)
        let small = try await harness.requestPayment("1")
        #expect(small.method == .possession)
        _ = try await harness.platform.cancelApproval(requestID: small.requestID)
    }

    @Test(arguments: RejectionReason.allCases)
    func `possession suffices for a rejection`(reason: RejectionReason) async throws {
        let report = try await harness.requestLogin(showsNumbers: true)
        let approval = try await phone.fetch(report, from: harness)
        #expect(approval.content.approvalMethod == .password && approval.content.rejectionMethod == .possession)
        let answer = try await phone.answer(approval, .rejected(reason), with: harness)
        let parts = try #require(try await phone.send(answer, proof: .possession, to: harness).receipt)
        let receipt = try Receipt(parts).verify(with: phone.platformKeys)
        #expect(receipt.outcome == .rejected && receipt.verifiedMethod == .possession)
        #expect(try await harness.status(of: report).declineReason?.rawValue == reason.description)
    }

    @Test func `possession does not suffice for an approval, and a rejection has to prove it`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let rejection = try await phone.answer(approval, .rejected(.canceled), with: harness)
        #expect(try await phone.send(rejection, proof: .possession, wrong: true, to: harness).receipt == nil)
        #expect(try await harness.status(of: report).status == .pending)
        let weak = try await phone.answer(
            approval, .approved, method: .possession, fallback: .chosenByUser, with: harness)
        #expect(try await phone.send(weak, proof: .possession, to: harness).refusal == .methodRefused)
    }

    @Test func `not me by possession asks for the password and the number until the next right password`() async throws
    {
        try await makeCreditorKnown()
        let before = try await harness.requestPayment("1")
        let other = try await harness.requestLogin(source: "a")
        let report = try await harness.requestLogin(source: "b")
        try await phone.decide(.rejected(.notMe), on: report, with: harness)
        #expect(try await harness.status(of: report).declineReason == .notMe)
        #expect(try await !harness.record(of: other).isAnnounced)
        // Nothing is refused: neither an unknown source nor a site without numbers.
        let unknown = try await harness.requestLogin(source: "c")
        #expect(unknown.status == .pending)
        #expect(try await rule(of: unknown) == "step-up")
        #expect(try await !harness.record(of: unknown).isAnnounced)
        let small = try await harness.requestPayment("1", showsNumbers: true)
        #expect(small.method == .password && small.numberToMatch?.count == 6)
        // A request from before it needs more than possession, too.
        #expect(before.method == .possession)
        #expect(try await phone.decide(.approved, on: before, with: harness).refusal == .methodRefused)
        #expect(try await phone.decide(.approved, on: other, with: harness).receipt != nil)
        let risk = try await harness.risk()
        #expect(risk.stepUpUntil == nil && risk.mutedUntil == nil && risk.strictUntil == nil)
        #expect(try await harness.requestPayment("1").method == .possession)
    }

    @Test func `what a rejection by possession starts ends after an hour`() async throws {
        try await makeCreditorKnown()
        try await phone.decide(.rejected(.notMe), on: harness.requestLogin(), with: harness)
        harness.time.advance(milliseconds: 3_599_999)
        let late = try await harness.requestPayment("1")
        #expect(late.method == .password)
        #expect(try await !harness.record(of: late).isAnnounced)
        _ = try await harness.platform.cancelApproval(requestID: late.requestID)
        harness.time.advance(milliseconds: 1)
        let after = try await harness.requestPayment("1")
        #expect(after.method == .possession)
        #expect(try await harness.record(of: after).isAnnounced)
    }

    @Test func `the report of an account has the step-up while it lasts`() async throws {
        func report() async throws -> AccountReport {
            try #require(try await harness.platform.account(Harness.account()))
        }
        #expect(try await report().stepUpUntil == nil)
        try await phone.decide(.rejected(.notMe), on: harness.requestLogin(), with: harness)
        let end = harness.time.now().advanced(seconds: 3_600)
        var shown = try await report()
        #expect(shown.stepUpUntil == end && shown.mutedUntil == end && shown.strictUntil == nil)
        harness.time.advance(milliseconds: 3_599_999)
        #expect(try await report().stepUpUntil == end)
        harness.time.advance(milliseconds: 1)
        shown = try await report()
        #expect(shown.stepUpUntil == nil && shown.mutedUntil == nil)
        try await phone.decide(.rejected(.notMe), on: harness.requestLogin(), with: harness)
        #expect(try await report().stepUpUntil != nil)
        try await harness.platform.liftBlocks(of: Harness.account())
        #expect(try await report().stepUpUntil == nil)
    }

    @Test func `not me by the password refuses unknown sources for a day`() async throws {
        try await phone.decide(.approved, on: harness.requestLogin(source: "home"), with: harness)
        let report = try await harness.requestLogin(source: "stranger")
        try await phone.decide(.rejected(.notMe), on: report, by: .password, with: harness)
        harness.time.advance(seconds: 86_399)
        #expect(try await harness.requestLogin(source: "stranger", showsNumbers: true).declineReason == .policy)
        let known = try await harness.requestLogin(source: "home", showsNumbers: true)
        #expect(known.status == .pending)
        #expect(try await rule(of: known) == "strict")
        harness.time.advance(seconds: 1)
        #expect(try await harness.requestLogin(source: "stranger", showsNumbers: true).status == .pending)
    }

    @Test(arguments: [AuthenticationMethod.password, .biometric])
    func `another method is accepted where possession is enough, and starts the strict mode`(
        method: AuthenticationMethod
    ) async throws {
        let requirement = try #require(PolicyRequirement(.possession, fallbacks: []))
        let harness = try await Self.harness(requirement)
        let phone = try await harness.activate()
        try await phone.enroll(.biometric, with: harness)
        // An approval by the same method is not accepted.
        let other = try await harness.requestPayment("1")
        #expect(try await phone.decide(.approved, on: other, by: method, with: harness).refusal == .methodRefused)
        let report = try await harness.requestLogin()
        #expect(report.method == .possession)
        let answer = try await phone.decide(.rejected(.notMe), on: report, by: method, with: harness)
        let receipt = try Receipt(#require(answer.receipt)).verify(with: phone.platformKeys)
        #expect(receipt.outcome == .rejected && receipt.verifiedMethod == method && receipt.fallback == .chosenByUser)
        #expect(try await harness.risk().strictUntil == harness.time.now().advanced(seconds: 86_400))
    }

    @Test func `another method is refused where a rejection needs the method of the approval`() async throws {
        let requirement = try #require(
            PolicyRequirement(.biometric, rejectsWithPossession: false, fallbacks: []))
        let harness = try await Self.harness(requirement)
        let phone = try await harness.activate()
        try await phone.enroll(.biometric, with: harness)
        for method in [AuthenticationMethod.password, .possession] {
            let report = try await harness.requestLogin()
            let answer = try await phone.decide(.rejected(.canceled), on: report, by: method, with: harness)
            #expect(answer.refusal == .methodRefused)
            #expect(try await harness.status(of: report).declineReason == .methodRefused)
        }
        #expect(try await harness.risk().rejections.isEmpty)
    }

    /// A platform whose logins and payments have one requirement.
    private static func harness(_ requirement: PolicyRequirement) async throws -> Harness {
        let rule = try #require(PolicyRule("asked", then: .challenge(requirement)))
        let rules = try #require(PolicyRules([rule]))
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.policy = try #require(Policy(name: "rejections", logins: rules, transactions: rules))
        return try await Harness(configuration)
    }

    @Test func `wrong numbers for a stranger's requests do not refuse the user's other sources`() async throws {
        for _ in 0..<4 {
            let report = try await harness.requestLogin(source: "stranger", showsNumbers: true)
            let wrong = report.numberToMatch == "000000" ? "000001" : "000000"
            #expect(try await phone.decide(.approved, on: report, number: wrong, with: harness).refusal == .wrongNumber)
        }
        let risk = try await harness.risk()
        #expect(risk.rejections.count == 4 && risk.strictUntil == nil)
        let own = try await harness.requestLogin(source: "a new browser", showsNumbers: true)
        #expect(own.status == .pending)
        #expect(try await phone.decide(.approved, on: own, number: own.numberToMatch, with: harness).receipt != nil)
    }
}
