public import Primitives

/// An amount of money for comparisons and sums: a whole number of the smallest units of a currency.
///
/// An `Amount` is the text that the user signs. A `MonetaryAmount` is its value: `30` and `30.00` euros are 3,000
/// cents.
public struct MonetaryAmount: Sendable, Hashable, CustomStringConvertible {
    /// The number of the smallest units: cents for EUR, yen for JPY.
    public let minorUnits: UInt64

    /// The currency.
    public let currency: Currency

    /// Creates an amount from a number of the smallest units.
    public init(minorUnits: UInt64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Creates the value of an amount. An amount that does not fit into 64 bits counts as the largest one that does.
    ///
    /// - Returns: `nil` for more decimal places than the currency has.
    public init?(_ amount: Amount, _ currency: Currency) {
        guard amount.decimalPlaces <= currency.decimalPlaces else { return nil }
        self.init(minorUnits: amount.minorUnits(of: currency) ?? .max, currency: currency)
    }

    /// The number with all decimal places of the currency, and its code, such as `30.00 EUR`.
    public var description: String { "\(amountText) \(currency)" }

    /// The number with all decimal places of the currency, such as `30.00`.
    package var amountText: String {
        let places = currency.decimalPlaces
        guard places > 0 else { return "\(minorUnits)" }
        let digits = String(minorUnits)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
