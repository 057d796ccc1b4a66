internal import Primitives
internal import TrustedIdentity

extension PolicyFileReader {
    private static let conditionKeys = [
        "amount", "currency", "creditor", "free-text", "small-payments", "source", "browser", "numbers", "address",
        "address-outside", "time", "device-younger-than", "rejections", "type", "device-data",
    ]
    private static let recognitions: [String: Situation.Recognition] = [
        "known": .known, "new": .new, "unnamed": .unnamed,
    ]

    /// Reads the conditions of a rule.
    mutating func conditions(_ node: YAMLNode) -> [PolicyCondition]? {
        guard let fields = mapping(node, Self.conditionKeys) else { return nil }
        let before = problems.count
        var conditions: [PolicyCondition] = []
        for (key, value) in fields.pairs {
            if key == "device-data" {
                conditions += deviceData(value)
            } else if let condition = condition(key, value) {
                conditions.append(condition)
            }
        }
        return problems.count == before ? conditions : nil
    }

    private mutating func condition(_ key: String, _ node: YAMLNode) -> PolicyCondition? {
        switch key {
        case "amount":
            if case .scalar("unknown", _) = node { return .amountUnknown }
            return amountRange(node).map { .amount($0) }
        case "currency":
            if case .scalar("other", _) = node { return .otherCurrency }
            return list(node) { $0.currency($1) }.map { .currency(Set($0)) }
        case "creditor": return choice(node, Self.recognitions).map { .creditor($0) }
        case "free-text": return choice(node, ["shown": true, "none": false]).map { .freeText(isShown: $0) }
        case "small-payments": return smallPayments(node)
        case "source": return choice(node, ["known": true, "unknown": false]).map { .source(isKnown: $0) }
        case "browser": return choice(node, Self.recognitions).map { .browser($0) }
        case "numbers": return choice(node, ["shown": true, "hidden": false]).map { .numbers(areShown: $0) }
        case "address": return list(node) { $0.range($1) }.map { .address(in: $0) }
        case "address-outside": return list(node) { $0.range($1) }.map { .addressOutside($0) }
        case "time": return timeRange(node).map { .time($0) }
        case "device-younger-than":
            return duration(node, in: .seconds(1)...Self.maximumAge).map { .deviceAge(lessThan: $0) }
        case "rejections": return number(node, in: StrictMode.counts).map { .rejections(atLeast: $0) }
        case "type": return list(node) { $0.text($1, maximumBytes: 64) }.map { .type(Set($0)) }
        default: return nil
        }
    }

    /// Reads `{at-least: 5 EUR, at-most: 30 EUR}`, of which one part may be missing.
    private mutating func amountRange(_ node: YAMLNode) -> AmountRange? {
        guard let fields = mapping(node, ["at-least", "at-most"]) else { return nil }
        let before = problems.count
        let (least, greatest) = (fields["at-least"].flatMap { amount($0) }, fields["at-most"].flatMap { amount($0) })
        guard problems.count == before else { return nil }
        return AmountRange(atLeast: least, atMost: greatest)
            ?? refuse(
                node.place,
                "the amount has no bound, two currencies, or a least amount above the greatest: write "
                    + "'{at-most: 30 EUR}', for example")
    }

    /// Reads `{fewer-than: 5, less-than: 100 EUR}`.
    private mutating func smallPayments(_ node: YAMLNode) -> PolicyCondition? {
        guard let fields = mapping(node, ["fewer-than", "less-than"]) else { return nil }
        let count =
            fields["fewer-than"].map { number($0, in: 1...1_000) }
            ?? refuse(node.place, "the number of payments is missing: add 'fewer-than: 5', for example")
        let sum =
            fields["less-than"].map { amount($0) }
            ?? refuse(node.place, "the sum of the payments is missing: add 'less-than: 100 EUR', for example")
        guard let count, let sum else { return nil }
        guard sum.minorUnits > 0 else {
            return refuse(fields["less-than"]?.place ?? node.place, "no sum is less than 0: use a larger amount")
        }
        return .smallPayments(fewerThan: count, lessThan: sum)
    }

    /// Reads a mapping of keys of device data to values.
    private mutating func deviceData(_ node: YAMLNode) -> [PolicyCondition] {
        guard case .mapping(let pairs, let place) = node, !pairs.isEmpty else {
            let _: Never? = refuse(node.place, "device data is a mapping of keys to values: write 'KEY: VALUE'")
            return []
        }
        guard pairs.count <= PolicyRule.maximumConditions else {
            let _: Never? = refuse(place, "there are too many keys: use at most \(PolicyRule.maximumConditions)")
            return []
        }
        return pairs.compactMap { pair in
            guard (1...64).contains(pair.key.utf8.count) else {
                return refuse(pair.place, "the key is not a text of 1 to 64 bytes")
            }
            if !DeviceDataReport.policyNames.contains(pair.key) {
                warn(
                    pair.place,
                    "no device data that a policy reads has the name \(quoted(pair.key)), so that its value is never "
                        + "known: see the article 'Device data' for the names")
            }
            guard let value = text(pair.value, maximumBytes: 256) else { return nil }
            guard value != "unknown" else { return .deviceDataUnknown(key: pair.key) }
            guard DeviceDataReport.allows(value, for: pair.key) else {
                return refuse(
                    pair.value.place,
                    "\(quoted(pair.key)) never has the value \(quoted(value)): see the article 'Device data' for the "
                        + "values, or write unknown")
            }
            return .deviceData(key: pair.key, value: value)
        }
    }

    /// Reads `22:00-06:00`.
    private mutating func timeRange(_ node: YAMLNode) -> TimeOfDayRange? {
        guard let text = scalar(node) else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
        guard parts.count == 2, let start = parts[0], let end = parts[1] else {
            return refuse(node.place, "\(quoted(text)) is no time of the day: write '22:00-06:00', for example")
        }
        return TimeOfDayRange(from: start, to: end)
            ?? refuse(node.place, "the range begins and ends at one time: leave the condition out for the whole day")
    }

    private static func minute(_ text: Substring) -> Int? {
        let digits = Array(text.utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":"), let hour = Int(text.prefix(2)),
            let minute = Int(text.suffix(2)), (0..<24).contains(hour), (0..<60).contains(minute),
            [0, 1, 3, 4].allSatisfy({ (48...57).contains(digits[$0]) })
        else { return nil }
        return hour * 60 + minute
    }
}
