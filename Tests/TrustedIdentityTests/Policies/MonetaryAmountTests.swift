import Primitives
import Testing

@testable import TrustedIdentity

@Suite struct MonetaryAmountTests {
    @Test(arguments: [
        ("0", "EUR", 0, "0.00 EUR"), ("30", "EUR", 3_000, "30.00 EUR"), ("30.5", "EUR", 3_050, "30.50 EUR"),
        ("0.01", "EUR", 1, "0.01 EUR"), ("1250", "JPY", 1_250, "1250 JPY"), ("1.234", "KWD", 1_234, "1.234 KWD"),
        ("7", "CLF", 70_000, "7.0000 CLF"),
        ("999999999999999999", "EUR", UInt64.max, "184467440737095516.15 EUR"),
        ("999999999999999999", "JPY", 999_999_999_999_999_999, "999999999999999999 JPY"),
    ])
    func `an amount has one value, and one that is too large has the largest`(
        text: String, code: String, units: UInt64, description: String
    ) throws {
        let amount = try required(MonetaryAmount(Amount(text), Currency(code)))
        #expect(amount.minorUnits == units && amount.description == description)
    }

    @Test(arguments: [("1.234", "EUR"), ("1.0", "JPY"), ("1.2345", "KWD")])
    func `more decimal places than the currency has are refused`(text: String, code: String) throws {
        #expect(MonetaryAmount(try Amount(text), try Currency(code)) == nil)
    }
}
