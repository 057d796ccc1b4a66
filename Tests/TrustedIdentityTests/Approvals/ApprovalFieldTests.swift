import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// What the policy reads of the fields that the user sees.
@Suite struct ApprovalFieldTests {
    static let account = "DE89370400440532013000"

    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
    }

    private static func euros(_ text: String) throws -> [DisplayField] {
        [.amount(try Amount(text)), .currency(try Currency("EUR"))]
    }

    private func ask(
        _ fields: [DisplayField], risk: RiskInput = RiskInput()
    ) async throws -> (report: ApprovalReport, rule: String) {
        let report = try await harness.platform.requestApproval(
            ApprovalParameters(
                .transaction, of: Harness.account(), display: DisplayData(fields), showsNumbers: true, risk: risk))
        let id = try #require(report.decision)
        return (report, try await harness.platform.decision(id)?.decision.rule ?? "")
    }

    /// Makes a creditor known.
    private func pay(_ fields: [DisplayField]) async throws {
        let report = try await ask(fields).report
        try await phone.decide(.approved, on: report, number: report.numberToMatch, with: harness)
    }

    @Test func `a typed amount next to free text gets the password and the number`() async throws {
        let texts: [DisplayField] = [
            .field(label: "Amount", value: "1,000,000.00 EUR"), .field(label: "Payee", value: "Mallory"),
        ]
        let found = try await ask(Self.euros("1") + texts)
        #expect(found.report.method == .password && found.report.numberToMatch?.count == 6)
        #expect(found.rule == "unnamed creditor")
        // A creditor that the user knows, named next to the fields or in one of them, changes nothing.
        try await pay(Self.euros("1") + [.creditor("ACME")])
        let beside = try await ask(Self.euros("1") + texts, risk: RiskInput(creditor: "ACME"))
        #expect(beside.rule == "free text" && beside.report.numberToMatch?.count == 6)
        let typed = try await ask(Self.euros("1") + [.creditor("ACME")] + texts)
        #expect(typed.rule == "free text" && typed.report.method == .password)
        let small = try await ask(Self.euros("1") + [.creditor("ACME"), .remittance("Order 17")])
        #expect(small.rule == "small amount" && small.report.method == .possession)
    }

    @Test func `a transaction of free text alone gets the password and the number`() async throws {
        for text in [DisplayField.text("Pay 5 EUR to ACME?"), .field(label: "Amount", value: "5 EUR")] {
            let (report, rule) = try await ask([text])
            #expect(rule == "unknown amount" && report.method == .password && report.numberToMatch?.count == 6)
        }
        let known = RiskInput(amount: MonetaryAmount(minorUnits: 100, currency: .eur), creditor: "ACME")
        try await pay(Self.euros("1") + [.creditor("ACME")])
        #expect(try await ask([.text("Pay?")], risk: known).rule == "free text")
    }

    @Test func `free text does not hide the amount from a rule`() async throws {
        let (report, rule) = try await ask(Self.euros("1000") + [.text("Amount: 1 EUR")])
        #expect(rule == "large amount" && report.numberToMatch?.count == 6)
    }

    @Test(arguments: [account, "DE89 3704 0044 0532 0130 00", "de89-3704-0044-0532-0130-00", "Konto 12345678"])
    func `a name that spells an account number is a new creditor, also after an approval`(name: String) async throws {
        try await pay(Self.euros("1") + [.creditorAccount(IBAN(Self.account))])
        #expect(try await ask(Self.euros("1") + [.creditorAccount(IBAN(Self.account))]).rule == "small amount")
        for _ in 1...2 {
            #expect(try await ask(Self.euros("1") + [.creditor(name)]).rule == "new creditor")
            try await pay(Self.euros("1") + [.creditor(name)])
        }
        // Nor does it pass next to an account that the user knows.
        let both = try await ask(Self.euros("1") + [.creditor(name), .creditorAccount(IBAN(Self.account))])
        #expect(both.rule == "new creditor")
    }

    @Test(arguments: [
        ("ACME", false), ("Shop 1234567", false), ("1234567", false), ("12345678", true), ("1234 5678", true),
        ("12-34-56-78", true), ("1234a5678", false), ("\u{FF11}234567\u{0668}", true), ("LV80BANK0000435195001", true),
        ("mt18 malt 0110 0abc defg hjkl mnpq rst", true), ("7Eleven 24/7", false),
        ("MT18MALT01100ABCDEFGHJKLMNPQRSU", false),
    ])
    func `a name spells an account number by an IBAN or eight digits in a row`(name: String, isNumber: Bool) throws {
        #expect(try DisplayData([.creditor(name)]).namesAccountNumber == isNumber)
        #expect(try !DisplayData([.remittance(name)]).namesAccountNumber)
    }
}
