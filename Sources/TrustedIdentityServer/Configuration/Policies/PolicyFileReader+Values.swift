internal import Primitives
internal import TrustedIdentity

extension PolicyFileReader {
    /// The pairs of a mapping whose keys are known.
    struct Fields {
        let pairs: [(key: String, value: YAMLNode)]

        subscript(key: String) -> YAMLNode? { pairs.first { $0.key == key }?.value }
    }

    static let methods = Dictionary(
        uniqueKeysWithValues: AuthenticationMethod.allCases.map { ($0.description, $0) })
    static let applications = Dictionary(
        uniqueKeysWithValues: CryptoApplicationIndex.allCases.map { ($0.description, $0) })
    /// The maximum age of a device in a condition.
    static let maximumAge = Duration.seconds(3_650 * 86_400)

    /// Reads a mapping with known keys.
    mutating func mapping(_ node: YAMLNode, _ keys: [String]) -> Fields? {
        guard case .mapping(let pairs, _) = node else {
            let names = keys.joined(separator: ", ")
            return refuse(node.place, "this is not a mapping: write 'KEY: VALUE' with the keys \(names)")
        }
        var known: [(String, YAMLNode)] = []
        for pair in pairs {
            if keys.contains(pair.key) {
                known.append((pair.key, pair.value))
            } else {
                let hint = SimilarWord.suggestion(for: pair.key, in: keys)
                let _: Never? = refuse(pair.place, "unknown key \(quoted(pair.key)): \(hint)")
            }
        }
        return Fields(pairs: known)
    }

    /// Reads a list of values, or one value.
    mutating func list<Value>(
        _ node: YAMLNode, _ read: (inout PolicyFileReader, YAMLNode) -> Value?
    ) -> [Value]? {
        guard case .sequence(let nodes, let place) = node else { return read(&self, node).map { [$0] } }
        guard (1...64).contains(nodes.count) else {
            return refuse(place, "the list has \(nodes.count) values: use 1 to 64")
        }
        let values = nodes.compactMap { read(&self, $0) }
        return values.count == nodes.count ? values : nil
    }

    /// Reads the text of a scalar.
    mutating func scalar(_ node: YAMLNode) -> String? {
        guard case .scalar(let text, _) = node else { return refuse(node.place, "this is not a single value") }
        return text.isEmpty ? refuse(node.place, "the value is missing") : text
    }

    /// Reads a text of 1 to `maximumBytes` bytes.
    mutating func text(_ node: YAMLNode, maximumBytes: Int) -> String? {
        guard let text = scalar(node) else { return nil }
        return text.utf8.count <= maximumBytes
            ? text : refuse(node.place, "the text is too long: use at most \(maximumBytes) bytes")
    }

    /// Reads the name of a policy or rule.
    mutating func name(_ node: YAMLNode) -> String? {
        guard let name = scalar(node) else { return nil }
        return Policy.isName(name)
            ? name : refuse(node.place, "the name is not allowed: use 1 to 64 printable ASCII characters")
    }

    /// Reads one of several words.
    mutating func choice<Value>(_ node: YAMLNode, _ values: [String: Value], _ more: String = "") -> Value? {
        guard let text = scalar(node) else { return nil }
        if let value = values[text] { return value }
        let names = values.keys.sorted().joined(separator: ", ")
        return refuse(
            node.place,
            "\(quoted(text)) is not allowed here: use one of \(names)\(more.isEmpty ? "" : ", \(more)")")
    }

    /// Reads `true` or `false`.
    mutating func truth(_ node: YAMLNode) -> Bool? { choice(node, ["true": true, "false": false]) }

    /// Reads a whole number.
    mutating func number(_ node: YAMLNode, in range: ClosedRange<Int>) -> Int? {
        guard let text = scalar(node) else { return nil }
        // Int also reads a sign.
        let isDigits = text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count <= 9
        guard isDigits, let number = Int(text), range.contains(number) else {
            return refuse(
                node.place,
                "\(quoted(text)) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func number(_ node: YAMLNode?, in range: ClosedRange<Int>, or standard: Int) -> Int {
        node.flatMap { number($0, in: range) } ?? standard
    }

    /// Reads a number of digits: 0, or 2 to 8.
    mutating func digits(_ node: YAMLNode) -> Int? {
        let range = PolicyRequirement.digitCounts
        guard let number = number(node, in: 0...range.upperBound) else { return nil }
        return number == 0 || range.contains(number)
            ? number : refuse(node.place, "one digit is guessed too easily: use 0 for no number, or 2 to 8")
    }

    /// Reads a duration in whole seconds, minutes, hours or days: `90s`, `10m`, `1h`, `7d`.
    mutating func duration(_ node: YAMLNode, in range: ClosedRange<Duration>) -> Duration? {
        guard let text = scalar(node) else { return nil }
        guard let duration = PolicyFile.duration(text) else {
            return refuse(
                node.place, "\(quoted(text)) is no duration: write '90s', '10m', '1h' or '7d', for example")
        }
        return range.contains(duration)
            ? duration
            : refuse(
                node.place,
                "the duration is too short or too long: use \(range.lowerBound.components.seconds)s to "
                    + "\(range.upperBound.components.seconds / 86_400)d")
    }

    mutating func duration(_ node: YAMLNode?, in range: ClosedRange<Duration>, or standard: Duration) -> Duration {
        node.flatMap { duration($0, in: range) } ?? standard
    }

    /// Reads a currency of ISO 4217.
    mutating func currency(_ node: YAMLNode) -> Currency? {
        guard let text = scalar(node) else { return nil }
        return (try? Currency(text))
            ?? refuse(node.place, "unknown currency \(quoted(text)): use a code of ISO 4217 such as EUR")
    }

    /// Reads an amount and its currency: `30 EUR`.
    mutating func amount(_ node: YAMLNode) -> MonetaryAmount? {
        guard let text = scalar(node) else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return refuse(
                node.place, "\(quoted(text)) is no amount with a currency: write '30 EUR', for example")
        }
        guard let amount = try? Amount(String(parts[0])) else {
            return refuse(
                node.place,
                "\(quoted(String(parts[0]))) is no amount: use digits with at most one dot, without sign and "
                    + "exponent")
        }
        guard let currency = try? Currency(String(parts[1])) else {
            return refuse(
                node.place, "unknown currency \(quoted(String(parts[1]))): use a code of ISO 4217 such as EUR")
        }
        return MonetaryAmount(amount, currency)
            ?? refuse(
                node.place,
                "the amount has more decimal places than \(currency): use at most \(currency.decimalPlaces)")
    }

    /// Reads a range of network addresses.
    mutating func range(_ node: YAMLNode) -> NetworkRange? {
        guard let text = scalar(node) else { return nil }
        return NetworkRange(text)
            ?? refuse(
                node.place,
                "\(quoted(text)) is no range of addresses: write '192.0.2.0/24' or '2001:db8::/32', for example, "
                    + "with zeros after the prefix")
    }
}
