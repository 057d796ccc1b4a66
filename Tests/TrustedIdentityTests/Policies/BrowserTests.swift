import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The fingerprints of browsers that the policy remembers.
@Suite struct BrowserTests {
    let harness: Harness
    let phone: Authenticator

    /// A known browser approves with the password, every other one is refused without a number.
    private static func policy() throws -> Policy {
        let password = try required(PolicyRequirement(.password))
        let number = try required(PolicyRequirement(.password, digits: 4, refusesWithoutNumber: true))
        let possession = try required(PolicyRequirement(.possession))
        let rules = try required(
            PolicyRules([
                required(PolicyRule("known browser", when: [.browser(.known)], then: .challenge(password))),
                required(PolicyRule("new browser", when: [.browser(.new)], then: .challenge(number))),
                required(PolicyRule("no browser", then: .challenge(possession))),
            ]))
        return try required(Policy(name: "browsers", logins: rules, transactions: rules))
    }

    init() async throws {
        harness = try await Harness(.init(postQuantum: .off, policy: Self.policy(), requestsPerDevice: 6_000))
        phone = try await harness.activate()
    }

    private func ask(
        _ fingerprint: String?, _ user: String = Harness.alice, kind: ApprovalKind = .login, showsNumbers: Bool = false
    ) async throws -> (report: ApprovalReport, rule: String) {
        let report = try await harness.platform.requestApproval(
            ApprovalParameters(
                kind, of: Harness.account(user), display: DisplayData([.text("x")]), showsNumbers: showsNumbers,
                risk: RiskInput(fingerprint: fingerprint)))
        let id = try #require(report.decision)
        let decision = try await harness.platform.decision(id)
        return (report, decision?.decision.rule ?? "")
    }

    @Test func `a browser is known after a strong approval, to its account only`() async throws {
        let first = try await ask("f1", showsNumbers: true)
        #expect(first.rule == "new browser" && first.report.numberToMatch?.count == 4)
        // A request that waits makes nothing known.
        #expect(try await ask("f1", showsNumbers: true).rule == "new browser")
        let again = try await ask("f1", kind: .event, showsNumbers: true)
        try await phone.decide(.approved, on: again.report, number: again.report.numberToMatch, with: harness)
        #expect(try await ask("f1").rule == "known browser")
        #expect(try await ask("f1", kind: .transaction).rule == "known browser")
        #expect(try await ask("f2").rule == "new browser")
        #expect(try await ask(nil).rule == "no browser")
        #expect(try await ask("f1", "stranger").rule == "new browser")
        _ = try await harness.activate("bob@master")
        #expect(try await ask("f1", "bob@master").rule == "new browser")
    }

    @Test func `a rejection, a wrong number and possession make no browser known`() async throws {
        let rejected = try await ask("f1", showsNumbers: true).report
        try await phone.decide(.rejected(.canceled), on: rejected, with: harness)
        let wrong = try await ask("f1", showsNumbers: true).report
        let other = wrong.numberToMatch == "0000" ? "0001" : "0000"
        #expect(try await phone.decide(.approved, on: wrong, number: other, with: harness).refusal == .wrongNumber)
        let possession = try await ask(nil).report
        try await phone.decide(.approved, on: possession, with: harness)
        #expect(try await ask("f1").rule == "new browser")
    }

    @Test func `the store has no fingerprint, and a keyed hash with the request`() async throws {
        let report = try await ask("a fingerprint", showsNumbers: true).report
        let record = try await harness.record(of: report)
        let browser = try #require(record.browser)
        #expect(browser.count == 16)
        try await phone.decide(.approved, on: report, number: report.numberToMatch, with: harness)
        #expect(try await harness.record(of: ask(nil).report).browser == nil)
        let row = try await harness.store.read { try $0.accountRisk(Harness.alice) }
        let state = try #require(row).state
        let text = Array("a fingerprint".utf8)
        #expect(!state.indices.contains { state[$0...].starts(with: text) })
        #expect(try RiskState(decoding: state).browsers == [browser])
    }

    @Test func `typed codes and static passwords are decided with the browser, and make none known`() async throws {
        var policy = Policy.default
        let refusing = try required(PolicyRule("new browser", when: [.browser(.new)], then: .refuse))
        policy.logins = try required(PolicyRules([refusing] + Policy.default.logins.rules))
        let harness = try await Harness(.init(postQuantum: .off, policy: policy))
        let phone = try await harness.activate()
        _ = try await harness.register(staticPassword: "correct horse")
        func login(_ credential: LoginRequest.Credential, _ fingerprint: String?) async throws -> LoginDecision {
            harness.time.advance(seconds: 30)
            return try await harness.platform.login(
                LoginRequest(account: Harness.account(), credential: credential, fingerprint: fingerprint))
        }
        func code() throws -> LoginRequest.Credential {
            .oneTimePassword(try phone.code(at: harness.time.now().advanced(seconds: 30)))
        }
        #expect(try await login(code(), nil).status == .accepted)
        #expect(try await login(.staticPassword("correct horse"), nil).status == .accepted)
        #expect(try await login(code(), "f1").reason == .methodNotAllowed)
        #expect(try await login(.staticPassword("correct horse"), "f1").reason == .methodNotAllowed)
        // The policy refuses the browser also for an approval: another one of the rules makes it known.
        let parameters = try ApprovalParameters(
            .transaction, of: Harness.account(), display: DisplayData([.text("x")]), risk: RiskInput(fingerprint: "f1"))
        try await phone.decide(.approved, on: harness.platform.requestApproval(parameters), with: harness)
        #expect(try await login(code(), "f1").status == .accepted)
        #expect(try await login(.staticPassword("correct horse"), "f1").status == .accepted)
    }
}
