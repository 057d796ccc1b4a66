import Primitives
import Testing

@testable import TrustedIdentity

/// The decisions of the documented default, as a table of situations.
@Suite struct PolicyTableTests {
    /// A situation with the rule that decides and what follows, in words.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let situation: Situation
        let rule: String
        let outcome: String

        var testDescription: String { name }

        init(
            _ name: String, _ request: Situation.Request, _ rule: String, _ outcome: String,
            change: (inout Situation) -> Void = { _ in }
        ) {
            self.init(name, request, nil, rule, outcome, change: change)
        }

        init(
            _ name: String, _ request: Situation.Request, _ amount: String?, _ rule: String, _ outcome: String,
            change: (inout Situation) -> Void = { _ in }
        ) {
            self.name = name
            self.rule = rule
            self.outcome = outcome
            var situation = Situation(
                request, at: start, amount: amount.flatMap(PolicyTableTests.amount),
                creditor: amount == nil ? .unnamed : .known)
            change(&situation)
            self.situation = situation
        }
    }

    static let start = Timestamp(secondsSinceEpoch: 1_800_000_000)

    static func amount(_ text: String) -> MonetaryAmount? {
        let parts = text.split(separator: " ").map(String.init)
        guard let amount = try? Amount(parts[0]), let currency = try? Currency(parts[1]) else { return nil }
        return MonetaryAmount(amount, currency)
    }

    static func paid(_ amounts: String...) -> RiskState {
        var risk = RiskState()
        for text in amounts { risk.record(.paidByPossession(amount(text)), at: start, policy: .default) }
        return risk
    }

    static func after(_ events: RiskState.Event..., secondsAgo: Int64 = 0) -> RiskState {
        var risk = RiskState()
        for event in events { risk.record(event, at: start.advanced(seconds: -secondsAgo), policy: .default) }
        return risk
    }

    static func weak(_ reason: RejectionReason) -> RiskState.Event { .rejected(reason, isProven: false) }

    static let showing: @Sendable (inout Situation) -> Void = { $0.showsNumbers = true }
    private static let strict: @Sendable (inout Situation) -> Void = {
        $0.risk = after(.rejected(.canceled), .rejected(.canceled), .rejected(.canceled))
    }
    private static let notMe: @Sendable (inout Situation) -> Void = { $0.risk = after(.rejected(.notMe)) }
    private static let trusted: @Sendable (inout Situation) -> Void = {
        $0.showsNumbers = true
        $0.isSourceKnown = true
    }

    static let rows: [Row] = logins + transactions + strictRows + typed

    static let logins: [Row] = [
        Row("login, no numbers", .login, "remote login", "password, number not shown, push"),
        Row("login, numbers", .login, "remote login", "password, 6 digits, push", change: showing),
        Row("login, everything new", .login, "remote login", "password, number not shown, push") {
            $0.browser = .new
            $0.deviceAge = .zero
        },
        Row("login, everything known", .login, "remote login", "password, 6 digits, push") {
            trusted(&$0)
            ($0.browser, $0.deviceAge) = (.known, .seconds(86_400))
        },
        Row("login after one rejection", .login, "remote login", "password, 6 digits, backOff") {
            $0.showsNumbers = true
            $0.risk = after(.rejected(.canceled))
        },
        Row("login after three pushes", .login, "remote login", "password, number not shown, overBudget") {
            $0.risk = after(.pushed, .pushed, .pushed)
        },
        Row("login, only possession on the devices", .login, "remote login", "refused: noMethod") {
            $0.availableMethods = [.possession]
        },
        Row("login, password on a device", .login, "remote login", "password, number not shown, push") {
            $0.availableMethods = [.possession, .password]
        },
        Row("event, no numbers", .event, "remote login", "password, number not shown, push"),
        Row("event, numbers", .event, "remote login", "password, 6 digits, push", change: showing),
    ]

    static let transactions: [Row] = [
        Row("nothing named", .transaction, "unknown amount", "password, number not shown, push"),
        Row("nothing named, numbers", .transaction, "unknown amount", "password, 6 digits, push", change: showing),
        Row("1 EUR, free text", .transaction, "1 EUR", "free text", "password, 6 digits, push") {
            ($0.showsNumbers, $0.showsFreeText) = (true, true)
        },
        Row("1,000 EUR, free text", .transaction, "1000 EUR", "large amount", "password, number not shown, push") {
            $0.showsFreeText = true
        },
        Row("free text, known creditor", .transaction, "unknown amount", "password, number not shown, push") {
            ($0.creditor, $0.showsFreeText) = (.known, true)
        },
        Row("0 EUR", .transaction, "0 EUR", "small amount", "possession, push"),
        Row("30 EUR", .transaction, "30.00 EUR", "small amount", "possession, push"),
        Row("30.01 EUR", .transaction, "30.01 EUR", "transaction", "password, push"),
        Row("30 EUR, numbers", .transaction, "30 EUR", "small amount", "possession, push", change: showing),
        Row("30 EUR, no creditor", .transaction, "30 EUR", "unnamed creditor", "password, 6 digits, push") {
            ($0.showsNumbers, $0.creditor) = (true, .unnamed)
        },
        Row("30 EUR, new browser", .transaction, "30 EUR", "small amount", "possession, push") { $0.browser = .new },
        Row("30 EUR, known browser, new creditor", .transaction, "30 EUR", "new creditor", "password, 6 digits, push") {
            $0.showsNumbers = true
            ($0.browser, $0.creditor) = (.known, .new)
        },
        Row("1 EUR, new creditor", .transaction, "1 EUR", "new creditor", "password, number not shown, push") {
            $0.creditor = .new
        },
        Row("no amount, new creditor", .transaction, "new creditor", "password, 6 digits, push") {
            $0.creditor = .new
            $0.showsNumbers = true
        },
        Row("the fifth small payment", .transaction, "1 EUR", "small amount", "possession, push") {
            $0.risk = paid("1 EUR", "1 EUR", "1 EUR", "1 EUR")
        },
        Row("the sixth small payment", .transaction, "1 EUR", "transaction", "password, push") {
            $0.risk = paid("1 EUR", "1 EUR", "1 EUR", "1 EUR", "1 EUR")
        },
        Row("after 99.99 EUR", .transaction, "30 EUR", "small amount", "possession, push") {
            $0.risk = paid("30 EUR", "30 EUR", "30 EUR", "9.99 EUR")
        },
        Row("after 100 EUR", .transaction, "0.01 EUR", "transaction", "password, push") {
            $0.risk = paid("30 EUR", "30 EUR", "30 EUR", "10 EUR")
        },
        Row("small again after a strong approval", .transaction, "30 EUR", "small amount", "possession, push") {
            $0.risk = paid("30 EUR", "30 EUR", "30 EUR", "30 EUR")
            $0.risk.record(.approvedStrongly(creditor: nil), at: start, policy: .default)
        },
        Row("999.99 EUR", .transaction, "999.99 EUR", "transaction", "password, push", change: showing),
        Row("1,000 EUR", .transaction, "1000 EUR", "large amount", "password, number not shown, push"),
        Row(
            "1,000 EUR, numbers", .transaction, "1000 EUR", "large amount", "password, 6 digits, push", change: showing),
        Row(
            "1,000,000 EUR, known creditor", .transaction, "1000000 EUR", "large amount", "password, 6 digits, push"
        ) {
            $0.showsNumbers = true
            $0.creditor = .known
        },
        Row(
            "1 USD", .transaction, "1 USD", "currency without a rule", "password, 6 digits, push", change: showing),
        Row("1 JPY", .transaction, "1 JPY", "currency without a rule", "password, number not shown, push"),
        Row("1 USD, new creditor", .transaction, "1 USD", "new creditor", "password, 6 digits, push") {
            $0.showsNumbers = true
            $0.creditor = .new
        },
        Row("small, password only", .transaction, "1 EUR", "small amount", "password for possession, push") {
            $0.availableMethods = [.password]
        },
    ]

    static let strictRows: [Row] = [
        Row("strict login, unknown source", .login, "strict", "refused: unknownSource") {
            strict(&$0)
            $0.showsNumbers = true
        },
        Row("strict login, no numbers", .login, "strict", "refused: noNumber") {
            strict(&$0)
            $0.isSourceKnown = true
        },
        Row("strict login, known source, numbers", .login, "strict", "password, 6 digits, backOff") {
            trusted(&$0)
            strict(&$0)
        },
        Row("strict small payment", .transaction, "1 EUR", "strict", "password, 6 digits, backOff") {
            trusted(&$0)
            strict(&$0)
        },
        Row("strict event", .event, "strict", "refused: unknownSource", change: strict),
        Row("an hour later", .login, "remote login", "password, number not shown, push") {
            $0.risk = after(.rejected(.canceled), .rejected(.canceled), .rejected(.canceled), secondsAgo: 3_600)
        },
        Row("a second before an hour", .login, "strict", "refused: unknownSource") {
            $0.risk = after(.rejected(.canceled), .rejected(.canceled), .rejected(.canceled), secondsAgo: 3_599)
        },
        Row("not me, known source, numbers", .login, "strict", "password, 6 digits, muted") {
            trusted(&$0)
            notMe(&$0)
        },
        Row("not me, unknown source", .login, "strict", "refused: unknownSource", change: notMe),
        Row("a day after not me", .login, "remote login", "password, number not shown, push") {
            $0.risk = after(.rejected(.notMe), secondsAgo: 86_400)
        },
        Row("a second before a day", .login, "strict", "refused: unknownSource") {
            $0.risk = after(.rejected(.notMe), secondsAgo: 86_399)
        },
        Row("wrong numbers start no strict mode", .login, "step-up", "password, number not shown, backOff") {
            $0.risk = after(.wrongNumber, .wrongNumber, .wrongNumber)
        },
        Row("a wrong number among rejections", .login, "step-up", "password, 6 digits, backOff") {
            $0.showsNumbers = true
            $0.risk = after(.rejected(.canceled), .wrongNumber, .rejected(.canceled))
        },
        Row("three rejections by possession", .transaction, "1 EUR", "step-up", "password, 6 digits, backOff") {
            $0.showsNumbers = true
            $0.risk = after(weak(.canceled), weak(.wrongData), weak(.canceled))
        },
        Row("not me by possession", .transaction, "1 EUR", "step-up", "password, number not shown, muted") {
            $0.risk = after(weak(.notMe))
        },
        Row("a second before an hour, by possession", .transaction, "1 EUR", "step-up", "password, 6 digits, muted") {
            $0.showsNumbers = true
            $0.risk = after(weak(.notMe), secondsAgo: 3_599)
        },
        Row("an hour after not me by possession", .transaction, "1 EUR", "small amount", "possession, push") {
            $0.risk = after(weak(.notMe), secondsAgo: 3_600)
        },
        Row("step-up, then a strong approval", .transaction, "1 EUR", "small amount", "possession, push") {
            $0.risk = after(weak(.notMe), .approvedStrongly(creditor: nil))
        },
        Row("strict, then a strong approval", .login, "strict", "password, 6 digits, muted") {
            trusted(&$0)
            $0.risk = after(.rejected(.notMe), weak(.notMe), .approvedStrongly(creditor: nil))
        },
        Row("step-up, static password, unknown source", .staticPassword, "remote login", "accepted") {
            $0.risk = after(weak(.notMe))
        },
        Row("step-up, code", .typedCode(application: .app1, method: .password), "remote login", "accepted") {
            $0.risk = after(weak(.notMe))
        },
        Row("strict, static password, unknown source", .staticPassword, "strict", "refused: unknownSource") {
            strict(&$0)
        },
        Row("strict, static password, known source", .staticPassword, "remote login", "accepted") {
            strict(&$0)
            $0.isSourceKnown = true
        },
    ]

    static let typed: [Row] = [
        Row("code of the password", .typedCode(application: .app1, method: .password), "remote login", "accepted"),
        Row("code of the face", .typedCode(application: .app2, method: .face), "remote login", "accepted"),
        Row("answer to a challenge", .typedCode(application: .app3, method: .password), "remote login", "accepted"),
        Row(
            "code of possession", .typedCode(application: .app1, method: .possession), "remote login",
            "refused: methodNotAllowed"),
        Row(
            "code of no application", .typedCode(application: .app5, method: .password), "remote login",
            "refused: applicationNotAllowed"),
        Row("static password", .staticPassword, "remote login", "accepted"),
        Row(
            "strict, code", .typedCode(application: .app1, method: .password), "remote login", "accepted",
            change: strict),
        Row("signature", .localSignature(method: .password), "5000 EUR", "large amount", "accepted"),
        Row(
            "signature of possession", .localSignature(method: .possession), "1 EUR", "transaction",
            "refused: methodNotAllowed"),
    ]

    @Test func `the table has at least thirty situations, each once`() {
        #expect(Self.rows.count >= 30)
        #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
        #expect(Set(Self.rows.map(\.situation)).count == Self.rows.count)
    }

    @Test(arguments: rows)
    func `the default decides`(row: Row) {
        let decision = Policy.default.decide(row.situation)
        #expect(decision.policy == "default")
        #expect(decision.rule == row.rule)
        #expect(decision.words == row.outcome)
    }

    @Test(arguments: rows)
    func `the user rejects with possession`(row: Row) {
        guard case .challenge(let challenge) = Policy.default.decide(row.situation).outcome else { return }
        #expect(challenge.rejection == .possession)
        #expect(challenge.fallbacks == (challenge.method == .possession ? [.password] : []))
    }
}

extension PolicyDecision {
    /// The outcome in words, for tables.
    var words: String {
        switch outcome {
        case .accept: return "accepted"
        case .refuse(let refusal): return "refused: \(refusal)"
        case .challenge(let challenge):
            let method = unavailableMethod.map { "\(challenge.method) for \($0)" } ?? "\(challenge.method)"
            let digits: String? =
                switch number {
                case .notRequired: nil
                case .required: "\(challenge.digits) digits"
                case .notShown: "number not shown"
                }
            let push = challenge.pushes == .allowed ? "push" : "\(challenge.pushes)"
            return [method, digits, push].compactMap(\.self).joined(separator: ", ")
        }
    }
}

extension Currency {
    /// The euro.
    static let eur: Currency = {
        guard let euro = try? Currency("EUR") else { preconditionFailure("the euro is a currency") }
        return euro
    }()
}

/// Returns a value that must not be `nil`. A macro cannot be within a macro.
func required<Value>(_ value: Value?) throws -> Value { try #require(value) }
