/// An international bank account number (ISO 13616), checked: its form, the length of its country, and its check
/// digits.
public struct IBAN: Sendable, Hashable, CustomStringConvertible {
    /// The number without spaces, 15 to 34 upper-case letters and digits. It identifies a person's account: do not log
    /// it.
    public let text: String

    /// The same as ``text``.
    public var description: String { text }

    /// Creates an account number.
    ///
    /// - Parameter text: The number in upper case and without spaces.
    /// - Throws: ``PaymentDataError`` with the code `ibanLength`, `ibanForm` or `ibanCheckDigits`.
    public init(_ text: String) throws(PaymentDataError) {
        guard (15...34).contains(text.utf8.count) else { throw PaymentDataError(.ibanLength) }
        let values = text.utf8.map(Self.value)
        guard values.allSatisfy({ $0 != nil }), values.prefix(2).allSatisfy({ $0 ?? 0 >= 10 }),
            values[2...3].allSatisfy({ $0 ?? 10 < 10 })
        else { throw PaymentDataError(.ibanForm) }
        if let length = Self.lengths[String(text.prefix(2))], length != text.utf8.count {
            throw PaymentDataError(.ibanLength)
        }
        // ISO 7064, MOD 97-10: the check digits are 02 to 98. 00, 01 and 99 would have the same remainder as other
        // values.
        let digits = (values[2] ?? 0) * 10 + (values[3] ?? 0)
        guard (2...98).contains(digits), Self.remainder(values[4...] + values[..<4]) == 1 else {
            throw PaymentDataError(.ibanCheckDigits)
        }
        self.text = text
    }

    /// Creates a number from its printed form, in groups of four with spaces (ISO 13616-1). Spaces are dropped.
    ///
    /// - Parameter printed: The number in upper case, with or without spaces.
    /// - Throws: The errors of ``init(_:)``.
    public init(printed: String) throws(PaymentDataError) {
        try self.init(String(printed.filter { !$0.isWhitespace }))
    }

    /// Returns the value of a character: 0 to 9 for a digit, 10 to 35 for a letter; `nil` for another character.
    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// Returns the remainder modulo 97 of the decimal number that the concatenated values form.
    private static func remainder(_ values: some Sequence<Int?>) -> Int {
        values.reduce(0) { remainder, value in
            let value = value ?? 0
            return (remainder * (value < 10 ? 10 : 100) + value) % 97
        }
    }

    /// The length by country, from the registry of ISO 13616. Other countries may have any length, because an account
    /// of a country that joins the registry later must not be refused.
    private static let lengths: [String: Int] = {
        let table = """
            AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29
            ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28
            LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25
            QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20
            """
        var lengths: [String: Int] = [:]
        for entry in table.split(whereSeparator: \.isWhitespace) {
            lengths[String(entry.prefix(2))] = Int(entry.dropFirst(2))
        }
        return lengths
    }()
}
