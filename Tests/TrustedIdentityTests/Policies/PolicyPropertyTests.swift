import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// What holds for the documented default in every situation.
@Suite struct PolicyPropertyTests {
    private static let start = PolicyTableTests.start

    /// How much a decision asks for.
    private func strictness(_ decision: PolicyDecision) -> Int {
        switch decision.outcome {
        case .accept: 0
        case .challenge(let challenge): challenge.method == .possession ? 1 : challenge.digits == 0 ? 2 : 3
        case .refuse: 4
        }
    }

    private func situation(_ random: inout SeededGenerator) -> Situation {
        let requests: [Situation.Request] = [
            .login, .transaction, .transaction, .transaction, .event, .staticPassword,
            .typedCode(application: .app1, method: .password), .localSignature(method: .password),
        ]
        var situation = Situation(requests.randomElement(using: &random) ?? .login, at: Self.start)
        let units = [0, 1, 2_999, 3_000, 3_001, 99_999, 100_000, 5_000_000].randomElement(using: &random) ?? 0
        let currency = [Currency.eur, .eur, (try? Currency("USD")) ?? .eur].randomElement(using: &random)
        if Int.random(in: 0..<8, using: &random) > 0 {
            situation.amount = MonetaryAmount(minorUnits: UInt64(units), currency: currency ?? .eur)
        }
        situation.creditor = Situation.Recognition.allCases.randomElement(using: &random) ?? .new
        situation.showsFreeText = Int.random(in: 0..<4, using: &random) == 0
        situation.browser = Situation.Recognition.allCases.randomElement(using: &random) ?? .new
        situation.isSourceKnown = Bool.random(using: &random)
        situation.showsNumbers = Bool.random(using: &random)
        situation.availableMethods =
            [nil, [.possession, .password], [.password], [.possession], []]
            .randomElement(using: &random) ?? nil
        for _ in 0..<Int.random(in: 0..<8, using: &random) { worsen(&situation.risk, &random) }
        return situation
    }

    /// Records an event after which a policy may only ask for more.
    private func worsen(_ risk: inout RiskState, _ random: inout SeededGenerator) {
        let events: [RiskState.Event] = [
            .pushed, .rejected(.canceled), .wrongNumber, .paidByPossession(PolicyTableTests.amount("20 EUR")),
            .paidByPossession(nil), .rejected(.notMe), .rejected(.notMe, isProven: false),
            .rejected(.wrongData, isProven: false),
        ]
        let ago = Int64.random(in: 0..<1_200, using: &random)
        risk.record(
            events.randomElement(using: &random) ?? .pushed, at: Self.start.advanced(seconds: -ago), policy: .default)
    }

    /// Makes one thing of a situation worse.
    private func worsen(_ situation: inout Situation, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            guard let amount = situation.amount else { return }
            let more = UInt64.random(in: 0...2_000_000, using: &random)
            situation.amount = MonetaryAmount(minorUnits: amount.minorUnits + more, currency: amount.currency)
        case 1:
            situation.creditor = situation.creditor == .known ? .unnamed : .new
        case 2:
            situation.isSourceKnown = false
        case 3:
            situation.browser = .new
        case 4:
            situation.showsFreeText = true
        case 5:
            situation.amount = nil
        default:
            worsen(&situation.risk, &random)
        }
    }

    @Test func `a worse situation never gets a weaker decision`() {
        var random = SeededGenerator(seed: 10)
        var changed = 0
        for _ in 0..<20_000 {
            let before = situation(&random)
            var after = before
            worsen(&after, &random)
            let decisions = (Policy.default.decide(before), Policy.default.decide(after))
            #expect(strictness(decisions.0) <= strictness(decisions.1), "\(before) \(after)")
            if case (.challenge(let first), .challenge(let second)) = (decisions.0.outcome, decisions.1.outcome) {
                #expect(first.pushes == .allowed || second.pushes != .allowed)
            }
            if decisions.0 != decisions.1 { changed += 1 }
        }
        // The test compares different decisions often enough.
        #expect(changed > 1_000)
    }

    @Test func `a challenge asks for a number only where the site shows it, and for a method that a device has`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let situation = situation(&random)
            let decision = Policy.default.decide(situation)
            #expect(decision == Policy.default.decide(situation))
            guard case .challenge(let challenge) = decision.outcome else { continue }
            #expect(challenge.digits == 0 || situation.showsNumbers)
            #expect((challenge.digits > 0) == (decision.number == .required))
            #expect(situation.availableMethods?.contains(challenge.method) ?? true)
            if situation.risk.isStrict(at: situation.time) {
                #expect(decision.rule == "strict" && situation.isSourceKnown)
                #expect(challenge.method == .password && challenge.digits == 6)
            }
            if challenge.method == .possession {
                #expect(!situation.risk.isStepUp(at: situation.time))
                #expect(situation.amount.map { $0.minorUnits <= 3_000 && $0.currency == .eur } ?? false)
                #expect(situation.risk.smallPayments.count < 5 && situation.creditor == .known)
                #expect(!situation.showsFreeText)
                #expect(situation.risk.smallPayments.sum(in: .eur) < 10_000)
            }
        }
    }

    @Test func `a rule that asks for more is kept in the strict mode`() throws {
        let eight = try required(PolicyRequirement(.password, digits: 8))
        let events = try required(PolicyRules([try required(PolicyRule("eight", then: .challenge(eight)))]))
        let refusing = try required(PolicyRules([try required(PolicyRule("never", then: .refuse))]))
        let accepting = try required(PolicyRules([try required(PolicyRule("free", then: .accept))]))
        let policy = try required(Policy(name: "test", logins: refusing, transactions: accepting, events: events))
        var situation = Situation(.event, at: Self.start, isSourceKnown: true, showsNumbers: true)
        #expect(policy.decide(situation).words == "password, 8 digits, push")
        situation.risk.record(.rejected(.notMe), at: Self.start, policy: policy)
        #expect(policy.decide(situation).words == "password, 8 digits, muted")
        guard case .challenge(let challenge) = policy.decide(situation).outcome else {
            Issue.record("no challenge")
            return
        }
        #expect(challenge.rejection == .possession)
        #expect(challenge.method == .password && challenge.fallbacks == [])
        situation.request = .login
        #expect(policy.decide(situation).words == "refused: rule" && policy.decide(situation).rule == "never")
        situation.request = .transaction
        #expect(policy.decide(situation).words == "password, 6 digits, muted")
        // So it is in the step-up, and there a site without numbers, and a source that is not known, are not refused.
        situation.risk = RiskState()
        situation.risk.record(.rejected(.notMe, isProven: false), at: Self.start, policy: policy)
        (situation.isSourceKnown, situation.showsNumbers) = (false, false)
        #expect(policy.decide(situation).words == "password, number not shown, muted")
        (situation.request, situation.showsNumbers) = (.event, true)
        #expect(policy.decide(situation).words == "password, 8 digits, muted")
        situation.request = .transaction
        situation.risk = RiskState()
        #expect(policy.decide(situation).words == "accepted")
        for request in [
            .staticPassword, .typedCode(application: .app1, method: .password), .login,
        ] as [Situation.Request] {
            situation.request = request
            #expect(policy.decide(situation).words == "refused: rule")
        }
    }

    @Test func `each part of a policy changes the decisions that it is about`() throws {
        var policy = Policy.default
        policy.codes = TypedCodes(methods: [.possession], applications: [.app2], staticPasswords: false)
        func words(_ request: Situation.Request) -> String { policy.decide(Situation(request, at: Self.start)).words }
        #expect(words(.typedCode(application: .app2, method: .possession)) == "accepted")
        #expect(words(.typedCode(application: .app2, method: .password)) == "refused: methodNotAllowed")
        #expect(words(.typedCode(application: .app1, method: .possession)) == "refused: applicationNotAllowed")
        #expect(words(.staticPassword) == "refused: staticPasswordNotAllowed")
        #expect(words(.localSignature(method: .password)) == "refused: applicationNotAllowed")
        policy.codes.applications = [.app4]
        // The rule asks for the password, and possession is less.
        #expect(words(.localSignature(method: .possession)) == "refused: methodNotAllowed")
        let refusing = try required(PolicyRequirement(.password, digits: 4, refusesWithoutNumber: true))
        policy.logins = try required(
            PolicyRules([try required(PolicyRule("number or nothing", then: .challenge(refusing)))]))
        #expect(words(.login) == "refused: noNumber")
        #expect(
            policy.decide(Situation(.login, at: Self.start, showsNumbers: true)).words == "password, 4 digits, push")
        let face = try required(PolicyRequirement(.face, fallbacks: [.biometric, .password]))
        policy.logins = try required(PolicyRules([try required(PolicyRule("face", then: .challenge(face)))]))
        let devices = Situation(.login, at: Self.start, availableMethods: [.password, .biometric])
        #expect(policy.decide(devices).words == "biometric for face, push")
        guard case .challenge(let challenge) = policy.decide(devices).outcome else {
            Issue.record("no challenge")
            return
        }
        #expect(challenge.fallbacks == [.password])
    }
}
