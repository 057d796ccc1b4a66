internal import OrchestrationProtocol
internal import Primitives

/// The policy rules that could still apply to an approval request, once everything except the answering device's data
/// is decided.
///
/// They are stored with the request and decided again when a device approves. The last rule has no condition.
package struct DeviceRules: Sendable, Hashable {
    struct Rule: Sendable, Hashable {
        /// The values that the device data must have; `nil` for a value that must not be known.
        let conditions: [String: String?]
        /// The methods that the rule accepts; empty for a rule that refuses.
        let methods: Set<AuthenticationMethod>
        /// The number of digits that the user has to type, 0 for none.
        let digits: Int

        /// Whether the rule applies to data; `nil` if that depends on a value that is not known.
        func applies(to data: [String: String]) -> Bool? {
            var applies: Bool? = true
            for (key, expected) in conditions {
                switch (expected, data[key]) {
                case (nil, nil): break
                case (let expected?, let value?) where expected == value: break
                case (_?, nil): applies = nil
                case (nil, _?), (_?, _?): return false
                }
            }
            return applies
        }
    }

    let rules: [Rule]

    /// Returns whether an approval is accepted: by the first rule that applies, and by each earlier one that could
    /// apply because a value is not known. An unknown value is never better than a known one.
    ///
    /// - Parameters:
    ///   - method: The method whose secret proved the approval.
    ///   - digits: The number of digits that the user had to type.
    ///   - data: The data of the device that approves. A value that is left out is not known.
    func accepts(_ method: AuthenticationMethod, digits: Int, from data: [String: String]) -> Bool {
        for rule in rules {
            let applies = rule.applies(to: data)
            if applies == false { continue }
            guard rule.methods.contains(method), digits >= rule.digits else { return false }
            if applies == true { return true }
        }
        return false
    }
}

extension DeviceRules {
    /// The limits of a list of 64 rules with 16 conditions each.
    private static let limits = CBORLimits(items: 4_096, bytes: 1 << 20)

    /// The encoding: `[[{key: value, …}, [method, …], digits], …]`. A value is null if it must not be known.
    package var encoded: [UInt8] {
        let rules = rules.map { rule in
            let pairs = rule.conditions.map { (CBORValue.text($0.key), $0.value.map { CBORValue.text($0) } ?? .null) }
            return CBORValue.array([
                .map(Dictionary(uniqueKeysWithValues: pairs)),
                .array(rule.methods.map(\.rawValue).sorted().map { .unsigned(UInt64($0)) }),
                .unsigned(UInt64(rule.digits)),
            ])
        }
        return CBORValue.array(rules).encoded
    }

    /// Reads an encoding.
    ///
    /// - Throws: ``WireError``.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard case .array(let members) = try CBORValue(decoding: bytes, limits: Self.limits) else {
            throw WireError(.unexpectedType)
        }
        var rules: [Rule] = []
        for member in members { rules.append(try Rule(member)) }
        self.rules = rules
    }
}

extension DeviceRules.Rule {
    fileprivate init(_ value: CBORValue) throws(WireError) {
        guard case .array(let parts) = value, parts.count == 3, case .map(let pairs) = parts[0],
            case .array(let numbers) = parts[1], case .unsigned(let digits) = parts[2]
        else { throw WireError(.unexpectedType) }
        var conditions: [String: String?] = [:]
        for (key, value) in pairs {
            switch (key, value) {
            case (.text(let key), .text(let value)): conditions[key] = .some(value)
            case (.text(let key), .null): conditions[key] = .some(nil)
            default: throw WireError(.unexpectedType)
            }
        }
        let methods = numbers.compactMap { number in
            number.integer.flatMap { UInt8(exactly: $0) }.flatMap(AuthenticationMethod.init(rawValue:))
        }
        guard methods.count == numbers.count, digits <= 8 else { throw WireError(.invalidValue) }
        self.init(conditions: conditions, methods: Set(methods), digits: Int(digits))
    }
}

extension Policy {
    /// Returns the rules that could still apply to an approval request when the answering device's data is known; `nil`
    /// if the data cannot change the rule.
    ///
    /// - Parameter situation: The situation of the request. Its device data do not count.
    package func deviceRules(for situation: Situation) -> DeviceRules? {
        let list = rules(for: situation.request)
        var open: [DeviceRules.Rule] = []
        for rule in list.rules {
            let others = rule.conditions.filter { !$0.isAboutDeviceData }
            guard others.allSatisfy({ $0.holds(in: situation, among: list.currencies, window: strict.window) }),
                let conditions = rule.deviceConditions
            else { continue }
            let (methods, digits): (Set<AuthenticationMethod>, Int) =
                switch approval(situation, rule: rule).outcome {
                case .refuse: ([], 0)
                case .accept: (Set(AuthenticationMethod.allCases), 0)
                case .challenge(let challenge): (Set([challenge.method] + challenge.fallbacks), challenge.digits)
                }
            open.append(DeviceRules.Rule(conditions: conditions, methods: methods, digits: digits))
            if conditions.isEmpty { break }
        }
        return open.count > 1 ? DeviceRules(rules: open) : nil
    }
}

extension PolicyRule {
    /// The conditions on device data by key; `nil` if two of them never hold together.
    fileprivate var deviceConditions: [String: String?]? {
        var found: [String: String?] = [:]
        for condition in conditions {
            let (key, value): (String, String?)
            switch condition {
            case .deviceData(let name, let text): (key, value) = (name, text)
            case .deviceDataUnknown(let name): (key, value) = (name, nil)
            default: continue
            }
            if let other = found.updateValue(value, forKey: key), other != value { return nil }
        }
        return found
    }
}
