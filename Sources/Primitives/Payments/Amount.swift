/// An amount of money as decimal digits, without its currency.
///
/// An amount is text, never a floating-point number: `0.1` has no exact binary fraction, and the user signs the digits
/// that are shown. The article "Approval requests and answers" states the form: at most 18 digits (as in ISO 20022), a
/// dot before the decimal places, no sign, no exponent, no leading zero except the one before the dot.
public struct Amount: Sendable, Hashable, CustomStringConvertible {
    /// The maximum number of digits, the decimal places included.
    public static let maximumDigits = 18

    /// The digits as they are shown and signed, for example `1234.50`.
    public let text: String

    /// The number of digits after the dot; 0 without a dot.
    public let decimalPlaces: Int

    /// The same as ``text``.
    public var description: String { text }

    /// Creates an amount.
    ///
    /// - Parameter text: For example `30`, `0.5` or `1234.50`.
    /// - Throws: ``PaymentDataError`` with the code `amountForm`, or `amountTooLong` for more than 18 digits.
    public init(_ text: String) throws(PaymentDataError) {
        let bytes = Array(text.utf8.prefix(Self.maximumDigits + 2))
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let zero = UInt8(ascii: "0")
        guard let whole = parts.first, parts.count <= 2,
            parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { (zero...zero + 9).contains($0) } }),
            whole.count == 1 || whole.first != zero
        else { throw PaymentDataError(.amountForm) }
        guard parts.map(\.count).reduce(0, +) <= Self.maximumDigits, bytes.count == text.utf8.count else {
            throw PaymentDataError(.amountTooLong)
        }
        self.text = text
        decimalPlaces = parts.count == 2 ? parts[1].count : 0
    }

    /// Returns the amount as a number of the smallest unit of a currency, for comparisons and sums: `12.5` euros are
    /// 1,250 cents.
    ///
    /// - Returns: `nil` if the amount has more decimal places than the currency, or does not fit into 64 bits.
    public func minorUnits(of currency: Currency) -> UInt64? {
        guard decimalPlaces <= currency.decimalPlaces else { return nil }
        let digits = text.filter { $0 != "." } + String(repeating: "0", count: currency.decimalPlaces - decimalPlaces)
        return UInt64(digits)
    }
}

/// The error for a text that is not an amount, a currency or an account number. It contains no part of the text.
public struct PaymentDataError: CodedError, Sendable {
    /// The rule that a text breaks.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The text is not an ``Amount``: it has a sign, an exponent, a leading zero, or no digits around its dot.
        public static let amountForm = Code(description: "amountForm")
        /// An ``Amount`` has more than 18 digits.
        public static let amountTooLong = Code(description: "amountTooLong")
        /// The text is not the code of a ``Currency``.
        public static let unknownCurrency = Code(description: "unknownCurrency")
        /// The text is not an ``IBAN``: it does not begin with two letters and two digits, or contains characters other
        /// than upper-case letters and digits.
        public static let ibanForm = Code(description: "ibanForm")
        /// An ``IBAN`` does not have the length of its country, or does not have 15 to 34 characters.
        public static let ibanLength = Code(description: "ibanLength")
        /// The check digits of an ``IBAN`` are wrong.
        public static let ibanCheckDigits = Code(description: "ibanCheckDigits")
    }

    /// The rule that is broken.
    public let code: Code

    /// The place in the source where the text was refused.
    public let location: SourceLocation

    /// The code in words.
    public var message: String {
        switch code {
        case .amountForm: "the amount is not digits with at most one dot between them, without a leading zero"
        case .amountTooLong: "the amount has more than 18 digits"
        case .unknownCurrency: "the currency is not an active code of ISO 4217"
        case .ibanForm: "the account number is not an IBAN in upper-case letters and digits without spaces"
        case .ibanLength: "the IBAN does not have the length of its country"
        case .ibanCheckDigits: "the check digits of the IBAN are wrong"
        default: "the payment data is not valid"
        }
    }

    init(_ code: Code, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        location = SourceLocation(fileID: fileID, line: line)
    }
}
