package import TrustedIdentity

/// A decision of the policy as JSON, for keys of the scope `admin` and for `policy explain`.
package struct DecisionReport: Encodable, Sendable, Equatable {
    /// The name of the policy.
    package let policy: String
    /// The name of the rule that decided.
    package let rule: String
    /// `accept`, `refuse` or `challenge`.
    package let outcome: String
    /// The reason why the request is refused.
    package let reason: String?
    /// The method by which the user approves.
    package let method: String?
    /// The method of the rule, when no device has it.
    package let unavailableMethod: String?
    /// Whether the user types a number: `required`, `notRequired` or `notShown`.
    package let number: String?
    /// The number of digits of the number.
    package let digits: Int?
    /// The method by which the user rejects.
    package let rejection: String?
    /// The methods that are accepted from a device that does not have the method.
    package let fallbacks: [String]?
    /// Whether the approval request is pushed: `allowed`, `overBudget`, `backOff` or `muted`.
    package let pushes: String?
    /// The risk code of the reply, while it is pending.
    package let riskResponseCode: Int

    /// Creates the report of a decision.
    package init(_ decision: PolicyDecision) {
        policy = decision.policy
        rule = decision.rule
        riskResponseCode = RiskResponseCode(decision).rawValue
        unavailableMethod = decision.unavailableMethod?.description
        switch decision.outcome {
        case .accept:
            (outcome, reason) = ("accept", nil)
            (method, number, digits, rejection, fallbacks, pushes) = (nil, nil, nil, nil, nil, nil)
        case .refuse(let refusal):
            (outcome, reason) = ("refuse", refusal.description)
            (method, number, digits, rejection, fallbacks, pushes) = (nil, nil, nil, nil, nil, nil)
        case .challenge(let challenge):
            (outcome, reason) = ("challenge", nil)
            method = challenge.method.description
            number = decision.number.description
            digits = challenge.digits
            rejection = challenge.rejection.description
            fallbacks = challenge.fallbacks.map(\.description)
            pushes = challenge.pushes.description
        }
    }

    /// The parts of the report with their names, for a table.
    package var rows: [(name: String, value: String)] {
        let parts: [(String, String?)] = [
            ("policy", policy), ("rule", rule), ("outcome", outcome), ("reason", reason), ("method", method),
            ("unavailable method", unavailableMethod), ("number", numberInWords), ("rejection", rejection),
            ("fallbacks", fallbacks.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }), ("push", pushes),
            ("risk code", String(riskResponseCode)),
        ]
        return parts.compactMap { name, value in value.map { (name, $0) } }
    }

    private var numberInWords: String? {
        switch number {
        case "required"?: digits.map { "\($0) digits" }
        case "notShown"?: "none: the site shows no numbers"
        case nil: nil
        default: "none"
        }
    }
}
