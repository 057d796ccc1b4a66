internal import OrchestrationProtocol
public import Primitives

/// A condition of a rule.
///
/// A condition on a value that is not known does not hold, unless its case states otherwise.
@nonexhaustive
public enum PolicyCondition: Sendable, Hashable {
    /// The amount is in a range.
    case amount(AmountRange)
    /// No amount is known.
    case amountUnknown
    /// The amount is in one of these currencies.
    case currency(Set<Currency>)
    /// The amount is in a currency that no other condition of the list of rules names.
    case otherCurrency
    /// The creditor is known, new, or not named.
    case creditor(Situation.Recognition)
    /// The user sees a field of free text, or sees typed fields only.
    case freeText(isShown: Bool)
    /// The payments by possession since the last strong approval are fewer than a number, and their sum is less than an
    /// amount. It does not hold for a signature that the user types: these payments are not counted.
    case smallPayments(fewerThan: Int, lessThan: MonetaryAmount)
    /// The source of the request has logged in before, or has not. A missing source counts as one that has not.
    case source(isKnown: Bool)
    /// The fingerprint of the browser is known, new, or not named.
    case browser(Situation.Recognition)
    /// The site of the API key shows numbers, or does not.
    case numbers(areShown: Bool)
    /// The address of the browser is in one of these ranges.
    case address(in: [NetworkRange])
    /// The address of the browser is in none of these ranges, or not known.
    case addressOutside([NetworkRange])
    /// The time of the day is in a range.
    case time(TimeOfDayRange)
    /// The latest activation of a device is less than this time ago.
    case deviceAge(lessThan: Duration)
    /// There were at least this many rejections within ``StrictMode/window``.
    case rejections(atLeast: Int)
    /// The type of the transaction or event is one of these.
    case type(Set<String>)
    /// The device that answers reports this value. If the value is not known, the rule is one of several that could
    /// apply: see ``Situation/deviceData``.
    case deviceData(key: String, value: String)
    /// The device that answers reports no value that a policy can read.
    case deviceDataUnknown(key: String)

    /// Returns whether the condition holds.
    ///
    /// - Parameters:
    ///   - currencies: The currencies that the conditions of the list of rules name.
    ///   - window: The time in which rejections count.
    func holds(in situation: Situation, among currencies: Set<Currency>, window: Duration) -> Bool {
        switch self {
        case .amount(let range): situation.amount.map(range.contains) ?? false
        case .amountUnknown: situation.amount == nil
        case .currency(let listed): situation.amount.map { listed.contains($0.currency) } ?? false
        case .otherCurrency: situation.amount.map { !currencies.contains($0.currency) } ?? false
        case .creditor(let creditor): situation.creditor == creditor
        case .freeText(let isShown): situation.showsFreeText == isShown
        case .smallPayments(let count, let sum):
            !situation.request.isLocalSignature && situation.risk.smallPayments.count < count
                && situation.risk.smallPayments.sum(in: sum.currency) < sum.minorUnits
        case .source(let isKnown): situation.isSourceKnown == isKnown
        case .browser(let browser): situation.browser == browser
        case .numbers(let areShown): situation.showsNumbers == areShown
        case .address(let ranges):
            situation.address.map { address in ranges.contains { $0.contains(address) } } ?? false
        case .addressOutside(let ranges):
            situation.address.map { address in !ranges.contains { $0.contains(address) } } ?? true
        case .time(let range): range.contains(situation.time)
        case .deviceAge(let limit): situation.deviceAge.map { $0 < limit } ?? false
        case .rejections(let count): situation.risk.rejections(within: window, of: situation.time) >= count
        case .type(let types): situation.type.map(types.contains) ?? false
        case .deviceData(let key, let value): situation.deviceData?[key] == value
        // Data that is not known yet may still arrive.
        case .deviceDataUnknown(let key): situation.deviceData.map { $0[key] == nil } ?? false
        }
    }

    /// The currencies that the condition names.
    var currencies: Set<Currency> {
        switch self {
        case .amount(let range): [range.currency]
        case .currency(let listed): listed
        case .amountUnknown, .otherCurrency, .creditor, .freeText, .smallPayments, .source, .browser, .numbers,
            .address, .addressOutside, .time, .deviceAge, .rejections, .type, .deviceData, .deviceDataUnknown:
            []
        }
    }

    /// Whether the condition holds in some situation.
    var canHold: Bool {
        switch self {
        case .currency(let listed): !listed.isEmpty
        case .smallPayments(let count, let sum): count > 0 && sum.minorUnits > 0
        case .address(let ranges), .addressOutside(let ranges): !ranges.isEmpty
        case .deviceAge(let limit): limit > .zero
        case .rejections(let count): (1...RiskState.maximumRejections).contains(count)
        case .type(let types): !types.isEmpty
        case .amount, .amountUnknown, .otherCurrency, .creditor, .freeText, .source, .browser, .numbers, .time,
            .deviceDataUnknown:
            true
        case .deviceData(let key, let value): DeviceDataField.allowsPolicyText(value, for: key)
        }
    }

    /// Returns whether another condition of the same list of rules holds in every situation in which this one does.
    func implies(_ other: PolicyCondition) -> Bool {
        // Conditions of kinds without an order imply only themselves.
        if self == other { return true }
        switch self {
        case .amount(let mine):
            if case .currency(let listed) = other { return listed.contains(mine.currency) }
            guard case .amount(let theirs) = other else { return false }
            return theirs.contains(mine)
        case .currency(let mine):
            guard case .currency(let theirs) = other else { return false }
            return mine.isSubset(of: theirs)
        case .smallPayments(let count, let sum):
            guard case .smallPayments(let other, let otherSum) = other else { return false }
            return count <= other && sum.currency == otherSum.currency && sum.minorUnits <= otherSum.minorUnits
        case .address(let mine):
            guard case .address(let theirs) = other else { return false }
            return mine.allSatisfy { range in theirs.contains { $0.contains(range) } }
        case .addressOutside(let mine):
            guard case .addressOutside(let theirs) = other else { return false }
            return theirs.allSatisfy { range in mine.contains { $0.contains(range) } }
        case .time(let mine):
            guard case .time(let theirs) = other else { return false }
            return theirs.contains(mine)
        case .deviceAge(let mine):
            guard case .deviceAge(let theirs) = other else { return false }
            return mine <= theirs
        case .rejections(let mine):
            guard case .rejections(let theirs) = other else { return false }
            return mine >= theirs
        case .type(let mine):
            guard case .type(let theirs) = other else { return false }
            return mine.isSubset(of: theirs)
        case .amountUnknown, .otherCurrency, .creditor, .freeText, .source, .browser, .numbers, .deviceData,
            .deviceDataUnknown:
            return false
        }
    }
}

/// A range of amounts of one currency.
public struct AmountRange: Sendable, Hashable {
    /// The currency.
    public let currency: Currency
    /// The minimum and maximum amount, in the smallest unit of the currency.
    let units: ClosedRange<UInt64>

    /// Creates the range of amounts that are at most, or at least, an amount, or between two amounts of one currency.
    ///
    /// - Returns: `nil` without a bound, for two currencies, and when the minimum amount is above the maximum.
    public init?(atLeast least: MonetaryAmount? = nil, atMost greatest: MonetaryAmount? = nil) {
        guard let currency = (least ?? greatest)?.currency, greatest == nil || greatest?.currency == currency else {
            return nil
        }
        let (lower, upper) = (least?.minorUnits ?? 0, greatest?.minorUnits ?? .max)
        guard lower <= upper else { return nil }
        self.currency = currency
        units = lower...upper
    }

    /// Returns whether an amount is in the range.
    public func contains(_ amount: MonetaryAmount) -> Bool {
        units.contains(amount.minorUnits) && amount.currency == currency
    }

    func contains(_ other: AmountRange) -> Bool {
        currency == other.currency && units.lowerBound <= other.units.lowerBound
            && units.upperBound >= other.units.upperBound
    }
}

/// A range of times of the day in UTC, to the minute. A range whose end is not after its start crosses midnight.
public struct TimeOfDayRange: Sendable, Hashable {
    private static let minutesOfDay = 24 * 60

    /// The first minute after midnight, 0 to 1,439.
    public let start: Int
    /// The minute after the last one, 0 to 1,439.
    public let end: Int

    /// Creates a range from minutes after midnight.
    ///
    /// - Returns: `nil` for a minute outside 0 to 1,439, and when both are equal.
    public init?(from start: Int, to end: Int) {
        guard (0..<Self.minutesOfDay).contains(start), (0..<Self.minutesOfDay).contains(end), start != end else {
            return nil
        }
        self.start = start
        self.end = end
    }

    /// Returns whether the range contains the time of day of a point in time.
    public func contains(_ time: Timestamp) -> Bool {
        let (_, second) = time.secondsSinceEpoch.quotientAndRemainder(dividingBy: 86_400)
        return contains(minute: Int(second < 0 ? second + 86_400 : second) / 60)
    }

    private func contains(minute: Int) -> Bool {
        start < end ? start <= minute && minute < end : start <= minute || minute < end
    }

    func contains(_ other: TimeOfDayRange) -> Bool {
        (0..<Self.minutesOfDay).allSatisfy { !other.contains(minute: $0) || contains(minute: $0) }
    }
}
