public import Primitives

/// A rule of a policy: what happens when all of its conditions hold.
public struct PolicyRule: Sendable, Hashable {
    /// The number of conditions of a rule, at most 16.
    public static let maximumConditions = 16

    /// The name of the rule, which decision records keep: 1 to 64 printable ASCII characters, with spaces between
    /// words.
    public let name: String
    /// The conditions, all of which must hold. A rule without conditions applies in every situation.
    public let conditions: [PolicyCondition]
    /// The effect of the rule.
    public let action: PolicyAction

    /// Creates a rule.
    ///
    /// - Returns: `nil` for a name or a number of conditions outside its limits, and for a condition that never holds.
    public init?(_ name: String, when conditions: [PolicyCondition] = [], then action: PolicyAction) {
        guard Policy.isName(name), conditions.count <= Self.maximumConditions, conditions.allSatisfy(\.canHold) else {
            return nil
        }
        self.init(checked: name, when: conditions, then: action)
    }

    init(checked name: String, when conditions: [PolicyCondition] = [], then action: PolicyAction) {
        self.name = name
        self.conditions = conditions
        self.action = action
    }
}

/// The effect of a rule.
public enum PolicyAction: Sendable, Hashable {
    /// The request is accepted without an approval. Typed credentials are checked, and nothing more is asked.
    case accept
    /// The request is refused.
    case refuse
    /// The user approves on a device.
    case challenge(PolicyRequirement)
}

/// The way in which the user approves.
public struct PolicyRequirement: Sendable, Hashable {
    /// The numbers of digits that a policy may ask for. NIST SP 800-63B-4 asks for six or more; fewer are easier to
    /// guess.
    public static let digitCounts = 2...8

    /// The method.
    public let method: AuthenticationMethod
    /// The number of digits of the matching number, 2 to 8; 0 for none.
    public let digits: Int
    /// Whether a request is refused if its site shows no numbers. Otherwise the user approves without a number.
    public let refusesWithoutNumber: Bool
    /// Whether possession is enough for a rejection, as by default. Otherwise the user rejects with ``method``.
    public let rejectsWithPossession: Bool
    /// The methods that are accepted if a device does not have ``method``, in the order of preference.
    public let fallbacks: [AuthenticationMethod]

    /// Creates a requirement.
    ///
    /// - Parameters:
    ///   - method: The method by which the user approves.
    ///   - digits: 2 to 8, or 0 for no number.
    ///   - refusesWithoutNumber: Whether a request is refused if its site shows no numbers.
    ///   - rejectsWithPossession: Whether possession is enough for a rejection.
    ///   - fallbacks: The methods for devices that do not have the method, each once, and without possession unless it
    ///     is the method; `nil` for the password.
    /// - Returns: `nil` for a value outside its limits.
    public init?(
        _ method: AuthenticationMethod, digits: Int = 0, refusesWithoutNumber: Bool = false,
        rejectsWithPossession: Bool = true, fallbacks: [AuthenticationMethod]? = nil
    ) {
        let isDigits = digits == 0 || Self.digitCounts.contains(digits)
        guard isDigits, digits > 0 || !refusesWithoutNumber else { return nil }
        if let fallbacks {
            // A fallback to possession would make every device without the method accept less than the rule asks for.
            guard Set(fallbacks).count == fallbacks.count, !fallbacks.contains(.possession), !fallbacks.contains(method)
            else { return nil }
        }
        self.init(
            checked: method, digits: digits, refusesWithoutNumber: refusesWithoutNumber,
            rejectsWithPossession: rejectsWithPossession, fallbacks: fallbacks)
    }

    init(
        checked method: AuthenticationMethod, digits: Int = 0, refusesWithoutNumber: Bool = false,
        rejectsWithPossession: Bool = true, fallbacks: [AuthenticationMethod]? = nil
    ) {
        self.method = method
        self.digits = digits
        self.refusesWithoutNumber = refusesWithoutNumber
        self.rejectsWithPossession = rejectsWithPossession
        self.fallbacks = fallbacks ?? (method == .password ? [] : [.password])
    }
}

/// The rules for one kind of request. The first rule whose conditions hold decides.
public struct PolicyRules: Sendable, Hashable {
    /// The number of rules, at most 64.
    public static let maximumCount = 64

    /// The rules in their order. The last one has no condition.
    public let rules: [PolicyRule]

    /// The currencies that an amount or a currency condition of these rules names.
    let currencies: Set<Currency>

    /// Creates a list of rules.
    ///
    /// - Returns: `nil` when ``problems(in:)`` finds one.
    public init?(_ rules: [PolicyRule]) {
        guard Self.problems(in: rules).isEmpty else { return nil }
        self.init(checked: rules)
    }

    init(checked rules: [PolicyRule]) {
        self.rules = rules
        currencies = rules.reduce(into: []) { found, rule in
            for condition in rule.conditions { found.formUnion(condition.currencies) }
        }
    }

    /// The reason why a list of rules is refused. Indexes count from 0.
    public enum Problem: Sendable, Hashable {
        /// There are no rules, or more than 64.
        case count
        /// The last rule has a condition, which means that no rule applies in some situations.
        case missingFinalRule
        /// Two rules have the same name.
        case duplicateName(rule: Int, earlier: Int)
        /// Two rules overlap: the earlier one applies in every situation of the later one, which never decides.
        case overlap(rule: Int, earlier: Int)
        /// A rule that accepts without a device has a condition on device data, or comes after a rule that has one. No
        /// device answers such a request, so the data would never be read. Both indexes are the same for a rule of the
        /// first kind.
        case acceptanceWithoutData(rule: Int, dataRule: Int)
    }

    /// Returns all problems of a list of rules, in the order of the rules.
    public static func problems(in rules: [PolicyRule]) -> [Problem] {
        guard (1...maximumCount).contains(rules.count) else { return [.count] }
        var problems: [Problem] = []
        for (index, rule) in rules.enumerated() {
            if let earlier = rules[..<index].firstIndex(where: { $0.name == rule.name }) {
                problems.append(.duplicateName(rule: index, earlier: earlier))
            }
            if let earlier = rules[..<index].firstIndex(where: { $0.covers(rule) }) {
                problems.append(.overlap(rule: index, earlier: earlier))
            }
            if rule.action == .accept, let reader = rules[...index].firstIndex(where: \.readsDeviceData) {
                problems.append(.acceptanceWithoutData(rule: index, dataRule: reader))
            }
        }
        if rules.last?.conditions.isEmpty == false { problems.append(.missingFinalRule) }
        return problems
    }

    /// Returns the first rule whose conditions all hold, and the earlier ones that could apply because they depend on
    /// unknown device data.
    ///
    /// Before a device has answered an approval request, the rules on device data do not decide. If the first
    /// other rule refuses, the first of them that asks for an approval decides instead, because that rule may accept
    /// the answer.
    ///
    /// - Parameter window: The time in which rejections count.
    func rule(for situation: Situation, window: Duration) -> (decides: PolicyRule, couldApply: [PolicyRule]) {
        let isLeftToAnswer = situation.request.isApproval && situation.deviceData == nil
        var situation = situation
        situation.deviceData = situation.deviceData ?? [:]
        var open: [PolicyRule] = []
        var asking: PolicyRule?
        for rule in rules {
            if isLeftToAnswer, rule.readsDeviceData {
                guard asking == nil, case .challenge = rule.action else { continue }
                let others = rule.conditions.lazy.filter { !$0.isAboutDeviceData }
                if others.allSatisfy({ $0.holds(in: situation, among: currencies, window: window) }) { asking = rule }
                continue
            }
            var (holds, couldHold) = (true, true)
            for condition in rule.conditions
            where !condition.holds(in: situation, among: currencies, window: window) {
                holds = false
                couldHold = couldHold && condition.isUnknown(in: situation)
            }
            if holds { return (rule.action == .refuse ? asking ?? rule : rule, open) }
            if couldHold { open.append(rule) }
        }
        preconditionFailure("the last rule has no condition")
    }
}

extension PolicyCondition {
    /// Whether the condition is about device data.
    var isAboutDeviceData: Bool {
        switch self {
        case .deviceData, .deviceDataUnknown: true
        case .amount, .amountUnknown, .currency, .otherCurrency, .creditor, .freeText, .smallPayments, .source,
            .browser, .numbers, .address, .addressOutside, .time, .deviceAge, .rejections, .type:
            false
        }
    }

    /// Returns whether the condition is about a value of the device data that is not known.
    fileprivate func isUnknown(in situation: Situation) -> Bool {
        guard case .deviceData(let key, _) = self else { return false }
        return situation.deviceData?[key] == nil
    }
}

extension PolicyRule {
    /// Whether a condition is about device data.
    var readsDeviceData: Bool { conditions.contains(where: \.isAboutDeviceData) }
}

extension PolicyRule {
    /// Returns whether this rule applies in every situation in which another rule of the same list does.
    fileprivate func covers(_ other: PolicyRule) -> Bool {
        conditions.allSatisfy { condition in other.conditions.contains { $0.implies(condition) } }
    }
}
