import Primitives
import Testing

@Suite struct AmountTests {
    @Test(arguments: [
        ("0", 0), ("0.5", 1), ("0.00", 2), ("30", 0), ("1234.50", 2), ("10.0", 1), ("123456789012345678", 0),
        ("1234567890123.45678", 5), ("0.12345678901234567", 17),
    ])
    func `digits with at most one dot are an amount`(text: String, places: Int) throws {
        let amount = try Amount(text)
        #expect(amount.text == text && amount.description == text)
        #expect(amount.decimalPlaces == places)
    }

    @Test(arguments: [
        "", "-1", "+1", "1e5", "1E5", ".5", "5.", ".", "007", "00", "00.5", "1.2.3", "1,5", "1 000", " 1", "1\n",
        "0x1F", "∞",
        "nan", "١", "1٫5", "１",
    ])
    func `every other text is refused`(text: String) {
        #expect(refusal { try Amount(text) } == .amountForm)
    }

    @Test(arguments: [
        "1234567890123456789", "12345678901234567.89", "1" + String(repeating: "0", count: 100_000),
    ])
    func `more than 18 digits are refused`(text: String) {
        #expect(refusal { try Amount(text) } == .amountTooLong)
    }

    @Test func `minor units are exact, and absent where they are not`() throws {
        let (euro, yen, dinar) = (try Currency("EUR"), try Currency("JPY"), try Currency("KWD"))
        #expect(try Amount("12.5").minorUnits(of: euro) == 1_250)
        #expect(try Amount("0.01").minorUnits(of: euro) == 1)
        #expect(try Amount("0").minorUnits(of: euro) == 0)
        #expect(try Amount("12").minorUnits(of: dinar) == 12_000)
        #expect(try Amount("12").minorUnits(of: yen) == 12)
        #expect(try Amount("12.5").minorUnits(of: yen) == nil)
        #expect(try Amount("1.234").minorUnits(of: euro) == nil)
        #expect(try Amount("99999999999999999").minorUnits(of: euro) == 9_999_999_999_999_999_900)
        #expect(try Amount("999999999999999999").minorUnits(of: euro) == nil)
    }
}

@Suite struct CurrencyTests {
    @Test(arguments: [
        ("EUR", 2), ("USD", 2), ("CHF", 2), ("JPY", 0), ("KRW", 0), ("ISK", 0), ("KWD", 3), ("TND", 3), ("CLF", 4),
        ("UYW", 4), ("XCG", 2), ("ZWG", 2), ("XAF", 0),
    ])
    func `an active code has the decimal places of the standard`(code: String, places: Int) throws {
        let currency = try Currency(code)
        #expect(currency.code == code && currency.description == code)
        #expect(currency.decimalPlaces == places)
    }

    @Test(arguments: [
        "", "eur", "EU", "EURO", "EUR ", "ＥＵＲ", "XAU", "XDR", "XTS", "XXX", "DEM", "HRK", "BGN", "ANG", "ZWL", "SLL",
        "BTC",
    ])
    func `other codes are refused: unknown ones, old ones, and those without decimal places`(code: String) {
        #expect(refusal { try Currency(code) } == .unknownCurrency)
    }

    @Test func `the table has each code once`() {
        #expect(Currency.allCodes.count == 165)
        #expect(Currency.allCodes == Currency.allCodes.sorted())
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        #expect(Currency.allCodes.allSatisfy { $0.utf8.count == 3 && $0.utf8.allSatisfy(letters.contains) })
    }
}

@Suite struct IBANTests {
    // The examples of the registry of ISO 13616, and accounts of countries that are not in the table.
    static let valid = [
        "DE89370400440532013000", "GB82WEST12345698765432", "FR1420041010050500013M02606", "NO9386011117947",
        "BE68539007547034", "MT84MALT011000012345MTLCAST001S", "LC14BOSL123456789012345678901234",
        "CH9300762011623852957", "AT611904300234573201",
    ]

    @Test(arguments: valid) func `an account number of the registry is accepted`(text: String) throws {
        #expect(try IBAN(text).text == text)
        #expect(try IBAN(text).description == text)
    }

    @Test func `the printed form has spaces`() throws {
        #expect(try IBAN(printed: " DE89 3704 0044 0532\u{A0}0130 00\n").text == "DE89370400440532013000")
        #expect(refusal { try IBAN("DE89 3704 0044 0532 0130 00") } == .ibanForm)
    }

    @Test(arguments: valid) func `a changed digit and two exchanged digits are refused`(text: String) {
        let bytes = Array(text.utf8)
        for place in bytes.indices where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
            var changed = bytes
            changed[place] = changed[place] == UInt8(ascii: "9") ? UInt8(ascii: "0") : changed[place] + 1
            #expect(refusal { try IBAN(String(decoding: changed, as: UTF8.self)) } == .ibanCheckDigits)
            guard place > 4, bytes[place - 1] != bytes[place] else { continue }
            changed = bytes
            changed.swapAt(place - 1, place)
            #expect(refusal { try IBAN(String(decoding: changed, as: UTF8.self)) } == .ibanCheckDigits)
        }
    }

    @Test(arguments: [
        ("DE88370400440532013000", PaymentDataError.Code.ibanCheckDigits), ("de89370400440532013000", .ibanForm),
        ("DE89 3704004405320130", .ibanForm), ("D189370400440532013000", .ibanForm),
        ("DEA9370400440532013000", .ibanForm), ("DE89370400440532０00", .ibanForm), ("", .ibanLength),
        ("NO938601111794", .ibanLength), ("DE8937040044053201300", .ibanLength),
        ("DE893704004405320130000", .ibanLength), ("LC14BOSL1234567890123456789012345AA", .ibanLength),
    ])
    func `an account number of another form, length or check sum is refused`(
        text: String, code: PaymentDataError.Code
    ) {
        #expect(refusal { try IBAN(text) } == code)
    }

    @Test func `check digits that have the remainder of others are refused`() throws {
        // The check digits c of an account with the remainder r have c = 98 - r. 97 less or more gives the same sum.
        var same: [String] = []
        for account in 0..<97 {
            let body = "00000000000\(100 + account)"
            for digits in ["00", "01", "99"] {
                let text = "ZZ\(digits)\(body)"
                if remainder(text) == 1 { same.append(text) }
            }
        }
        #expect(same.count == 3)
        for text in same { #expect(refusal { try IBAN(text) } == .ibanCheckDigits) }
    }

    /// The remainder of an account number in long division, apart from the code under test.
    private func remainder(_ text: String) -> Int {
        let moved = text.dropFirst(4) + text.prefix(4)
        let digits = moved.map { String($0.hexDigitValue.map { $0 < 10 ? $0 : 10 } ?? 35) }
        return digits.joined().reduce(0) { ($0 * 10 + ($1.wholeNumberValue ?? 0)) % 97 }
    }
}

@Suite struct PaymentDataErrorTests {
    @Test func `an error names the rule, and holds nothing of the text`() {
        let error = #expect(throws: PaymentDataError.self) { try IBAN("DE88370400440532013000") }
        #expect(error?.description == "ibanCheckDigits: the check digits of the IBAN are wrong")
        let codes: [PaymentDataError.Code] = [
            .amountForm, .amountTooLong, .unknownCurrency, .ibanForm, .ibanLength, .ibanCheckDigits,
        ]
        #expect(Set(codes.map(\.description)).count == codes.count)
    }
}

/// Returns the code of the error that an initializer throws.
private func refusal<Value>(_ make: () throws -> Value) -> PaymentDataError.Code? {
    do {
        _ = try make()
        return nil
    } catch {
        return (error as? PaymentDataError)?.code
    }
}
