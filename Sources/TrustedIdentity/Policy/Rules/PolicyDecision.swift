public import Primitives

/// The decision of a policy: the rule, the outcome, and any difference between the two.
public struct PolicyDecision: Sendable, Hashable {
    /// The outcome of a decision.
    public enum Outcome: Sendable, Hashable {
        /// The request is accepted: a login, transaction or event without an approval, a credential if it is right.
        case accept
        /// The request is refused. No approval request is made, and no credential is accepted.
        case refuse(Refusal)
        /// The user approves on a device.
        case challenge(Challenge)
    }

    /// The reason why a request is refused. The raw values are the numbers in decision records.
    @nonexhaustive
    public enum Refusal: UInt8, Sendable, Hashable, CaseIterable {
        /// A rule refuses it.
        case rule = 0
        /// The account is in the strict mode, and the source has not logged in before.
        case unknownSource = 1
        /// A number is required, but the site shows none.
        case noNumber = 2
        /// No device has the method or one that is accepted for it. The platform makes the approval request anyway, so
        /// that the caller does not learn it.
        case noMethod = 3
        /// The method of the code or signature is not accepted.
        case methodNotAllowed = 4
        /// The crypto application is not accepted.
        case applicationNotAllowed = 5
        /// Static passwords do not log in.
        case staticPasswordNotAllowed = 6
    }

    /// The way in which the user approves.
    public struct Challenge: Sendable, Hashable {
        /// The method by which the user approves.
        public let method: AuthenticationMethod
        /// The number of digits of the matching number, 2 to 8; 0 for none.
        public let digits: Int
        /// The method by which the user rejects: ``method`` or possession.
        public let rejection: AuthenticationMethod
        /// The methods that are accepted from a device that does not have ``method``.
        public let fallbacks: [AuthenticationMethod]
        /// Whether the approval request is pushed.
        public let pushes: PushPermission
    }

    /// Whether the user types a number.
    public enum NumberUse: UInt8, Sendable, Hashable, CaseIterable {
        /// The rule asks for none.
        case notRequired = 0
        /// The user types it.
        case required = 1
        /// The rule asks for one if the site shows it, and the site shows none.
        case notShown = 2
    }

    /// The name of the policy.
    public let policy: String
    /// The name of the rule that decided; `strict` for the strict mode, `step-up` for the step-up.
    public let rule: String
    /// The outcome of the decision.
    public let outcome: Outcome
    /// Whether the user types a number, and the reason if not.
    public let number: NumberUse
    /// The method of the rule, when no device has it. The method of the challenge is the accepted one that a device
    /// has, if there is one.
    public let unavailableMethod: AuthenticationMethod?

    init(
        policy: String, rule: String, outcome: Outcome, number: NumberUse = .notRequired,
        unavailableMethod: AuthenticationMethod? = nil
    ) {
        self.policy = policy
        self.rule = rule
        self.outcome = outcome
        self.number = number
        self.unavailableMethod = unavailableMethod
    }
}

extension PolicyDecision.Refusal: CustomStringConvertible {
    /// The name of the case, for example `unknownSource`.
    public var description: String {
        switch self {
        case .rule: "rule"
        case .unknownSource: "unknownSource"
        case .noNumber: "noNumber"
        case .noMethod: "noMethod"
        case .methodNotAllowed: "methodNotAllowed"
        case .applicationNotAllowed: "applicationNotAllowed"
        case .staticPasswordNotAllowed: "staticPasswordNotAllowed"
        }
    }
}

extension PolicyDecision.NumberUse: CustomStringConvertible {
    /// The name of the case, for example `notShown`.
    public var description: String {
        switch self {
        case .notRequired: "notRequired"
        case .required: "required"
        case .notShown: "notShown"
        }
    }
}
