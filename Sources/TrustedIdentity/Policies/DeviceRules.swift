internal import Primitives
internal import Wire

/// The rules of a policy that could still apply to an approval request, once everything but the data of the answering device is
/// decided.
///
/// They are stored with the request and decided again when a device approves. The last rule has no condition.
package struct DeviceRules: Sendable, Hashable {
    struct Rule: Sendable, Hashable {
        /// The values that the device data must have.
        let conditions: [String: String]
        /// The methods that the rule accepts; empty for a rule that refuses.
        let methods: Set<AuthenticationMethod>
    }

    let rules: [Rule]

    /// Returns whether an approval is accepted.
    ///
    /// - Parameters:
    ///   - method: The method whose secret proved the approval.
    ///   - data: The data of the device that approves.
    func accepts(_ method: AuthenticationMethod, from data: [String: String]) -> Bool {
        let rule = rules.first { $0.conditions.allSatisfy { data[$0.key] == $0.value } }
        return rule?.methods.contains(method) ?? false
    }
}

extension DeviceRules {
    /// The limits of a list of 64 rules with 16 conditions each.
    private static let limits = CBORLimits(items: 4_096, bytes: 1 << 20)

    /// The encoding: `[[{key: value, …}, [method, …]], …]`.
    package var encoded: [UInt8] {
        let rules = rules.map { rule in
            CBORValue.array([
                .map(Dictionary(uniqueKeysWithValues: rule.conditions.map { (.text($0.key), .text($0.value)) })),
                .array(rule.methods.map(\.rawValue).sorted().map { .unsigned(UInt64($0)) }),
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
        for member in members {
            guard case .array(let parts) = member, parts.count == 2, case .map(let pairs) = parts[0],
                case .array(let numbers) = parts[1]
            else { throw WireError(.unexpectedType) }
            var conditions: [String: String] = [:]
            for case (.text(let key), .text(let value)) in pairs { conditions[key] = value }
            let methods = numbers.compactMap { number in
                number.integer.flatMap { UInt8(exactly: $0) }.flatMap(AuthenticationMethod.init(rawValue:))
            }
            guard conditions.count == pairs.count, methods.count == numbers.count else {
                throw WireError(.invalidValue)
            }
            rules.append(Rule(conditions: conditions, methods: Set(methods)))
        }
        self.rules = rules
    }
}

extension Policy {
    /// Whether a rule has a condition on device data.
    var readsDeviceData: Bool {
        [logins, transactions, events].compactMap { $0 }.contains { rules in
            rules.rules.contains { $0.conditions.contains(where: \.isAboutDeviceData) }
        }
    }

    /// Returns the rules that could still apply to an approval request when the data of the device that answers are known; `nil` where
    /// the data cannot change the rule.
    ///
    /// - Parameter situation: The situation of the request. Its device data do not count.
    package func deviceRules(for situation: Situation) -> DeviceRules? {
        let list = rules(for: situation.request)
        var open: [DeviceRules.Rule] = []
        for rule in list.rules {
            let (onData, others) = (
                rule.conditions.filter(\.isAboutDeviceData), rule.conditions.filter { !$0.isAboutDeviceData }
            )
            guard others.allSatisfy({ $0.holds(in: situation, among: list.currencies, window: strict.window) }) else {
                continue
            }
            var conditions: [String: String] = [:]
            var isPossible = true
            for case .deviceData(let key, let value) in onData {
                let other = conditions.updateValue(value, forKey: key)
                isPossible = isPossible && (other == nil || other == value)
            }
            // Two values of one key never hold together.
            guard isPossible else { continue }
            let methods: Set<AuthenticationMethod> =
                switch approval(situation, rule: rule).outcome {
                case .refuse: []
                case .accept: Set(AuthenticationMethod.allCases)
                case .challenge(let challenge): Set([challenge.method] + challenge.fallbacks)
                }
            open.append(DeviceRules.Rule(conditions: conditions, methods: methods))
            if onData.isEmpty { break }
        }
        return open.count > 1 ? DeviceRules(rules: open) : nil
    }
}

extension PolicyCondition {
    fileprivate var isAboutDeviceData: Bool {
        if case .deviceData = self { true } else { false }
    }
}
