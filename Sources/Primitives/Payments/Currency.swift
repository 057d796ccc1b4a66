/// A currency of ISO 4217, with the number of its decimal places.
///
/// The table contains the codes of list one (current currency and funds codes) that have a minor unit. Metals,
/// accounting units such as XDR, and the codes for tests and for no currency have no minor unit, and their amounts
/// cannot be checked.
public struct Currency: Sendable, Hashable, CustomStringConvertible {
    /// The three upper-case letters.
    public let code: String

    /// The number of decimal places of an amount, 0 to 4: the minor unit of ISO 4217.
    public let decimalPlaces: Int

    /// The same as ``code``.
    public var description: String { code }

    /// Creates a currency.
    ///
    /// - Parameter code: Three upper-case letters, for example `EUR`.
    /// - Throws: ``PaymentDataError`` with the code `unknownCurrency`.
    public init(_ code: String) throws(PaymentDataError) {
        guard let places = Self.decimalPlaces[code] else { throw PaymentDataError(.unknownCurrency) }
        self.code = code
        decimalPlaces = places
    }

    /// All codes of the table, in alphabetical order.
    public static let allCodes: [String] = decimalPlaces.keys.sorted()

    private static let decimalPlaces: [String: Int] = {
        var places: [String: Int] = [:]
        for (count, codes) in table {
            for code in codes.split(whereSeparator: \.isWhitespace) { places[String(code)] = count }
        }
        return places
    }()

    /// The codes by the number of their decimal places (ISO 4217:2015 with its amendments until January 2026, when the
    /// Bulgarian lev was removed).
    private static let table: [(Int, String)] = [
        (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
        (
            2,
            """
            AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
            CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
            IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
            MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP
            SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG
            YER ZAR ZMW ZWG
            """
        ),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
    ]
}
