public import Primitives

/// The rules by which the platform decides how a user authenticates: in approvals, and with typed codes, signatures and
/// static passwords. They also limit pushes.
///
/// ```swift
/// let decision = Policy.default.decide(Situation(.login, at: now, showsNumbers: true))
/// ```
///
/// ``decide(_:)`` is a pure function. The article <doc:PoliciesAndRisk> describes the default and the file format.
public struct Policy: Sendable, Hashable {
    /// The name of the policy, which decision records keep: 1 to 64 printable ASCII characters.
    public let name: String
    /// The rules for logins.
    public var logins: PolicyRules
    /// The rules for transactions.
    public var transactions: PolicyRules
    /// The rules for events; `nil` for the rules for logins.
    public var events: PolicyRules?
    /// The rules for typed codes, signatures and static passwords.
    public var codes: TypedCodes
    /// The limits of pushes.
    public var pushes: PushLimits
    /// The strict mode after rejections.
    public var strict: StrictMode
    /// Whether a method whose keys a software provider releases counts as that method. Otherwise it counts as
    /// possession.
    public var softwareProviders: Bool

    /// Creates a policy. An argument that is left out has the value of ``default``.
    ///
    /// - Returns: `nil` for a name outside its limits.
    public init?(
        name: String, logins: PolicyRules = Self.default.logins, transactions: PolicyRules = Self.default.transactions,
        events: PolicyRules? = nil, codes: TypedCodes = TypedCodes(), pushes: PushLimits = .default,
        strict: StrictMode = .default, softwareProviders: Bool = false
    ) {
        guard Self.isName(name) else { return nil }
        self.name = name
        self.logins = logins
        self.transactions = transactions
        self.events = events
        self.codes = codes
        self.pushes = pushes
        self.strict = strict
        self.softwareProviders = softwareProviders
    }

    /// Returns whether a text may name a policy or a rule: 1 to 64 printable ASCII characters, no space at the edges.
    package static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...64).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
            && bytes.first != 0x20 && bytes.last != 0x20
    }
}

/// The rules for the codes, signatures and static passwords that users type.
public struct TypedCodes: Sendable, Hashable {
    /// The methods whose codes and signatures are accepted. Without ``/Primitives/AuthenticationMethod/possession``, a
    /// stolen device alone is not enough.
    public var methods: Set<AuthenticationMethod>
    /// The crypto applications whose codes are accepted: applications for one-time passwords and for challenges at a
    /// login, applications for signatures at a transaction.
    public var applications: Set<CryptoApplicationIndex>
    /// Whether an accepted code comes with a host code that the site shows.
    public var hostCodes: Bool
    /// Whether seals are accepted. A device makes no seals if it knows that they are not accepted.
    public var seals: Bool
    /// Whether a static password logs in.
    public var staticPasswords: Bool

    /// Creates the rules. Each argument sets the property of the same name.
    public init(
        methods: Set<AuthenticationMethod> = [.password, .biometric, .face],
        applications: Set<CryptoApplicationIndex> = [.app1, .app2, .app3, .app4], hostCodes: Bool = true,
        seals: Bool = true, staticPasswords: Bool = true
    ) {
        self.methods = methods
        self.applications = applications
        self.hostCodes = hostCodes
        self.seals = seals
        self.staticPasswords = staticPasswords
    }
}

extension Policy {
    /// The documented default.
    ///
    /// - A rejection asks for possession.
    /// - A login asks for the password, and for a number of 6 digits if the site shows one. So does an event.
    /// - A transaction from 1,000 EUR, to a new creditor, or in any other currency asks for the password and, if the
    ///   site shows one, for the number. So does a transaction whose amount or creditor is not known, and a transaction
    ///   that shows free text, which the policy cannot read.
    /// - A transaction up to 30 EUR asks for possession only, while there were fewer than five such payments, with a
    ///   sum of less than 100 EUR, since the last strong approval. That is stricter than article 16 of the Delegated
    ///   Regulation (EU) 2018/389, which asks for one of the two limits.
    /// - Every other transaction asks for the password.
    public static let `default`: Policy = {
        let password = PolicyAction.challenge(PolicyRequirement(checked: .password))
        let number = PolicyAction.challenge(PolicyRequirement(checked: .password, digits: 6))
        let possession = PolicyAction.challenge(PolicyRequirement(checked: .possession))
        guard let euro = try? Currency("EUR") else { preconditionFailure("the euro is a currency") }
        func euros(_ count: UInt64) -> MonetaryAmount { MonetaryAmount(minorUnits: count * 100, currency: euro) }
        func amounts(_ range: AmountRange?) -> [PolicyCondition] { range.map { [.amount($0)] } ?? [] }
        // Without rules for logins and transactions, the initializer would read this policy before it exists.
        let policy = Policy(
            name: "default",
            logins: PolicyRules(checked: [PolicyRule(checked: "remote login", then: number)]),
            transactions: PolicyRules(checked: [
                PolicyRule(
                    checked: "large amount", when: amounts(AmountRange(atLeast: euros(1_000))), then: number),
                PolicyRule(checked: "new creditor", when: [.creditor(.new)], then: number),
                PolicyRule(checked: "currency without a rule", when: [.otherCurrency], then: number),
                PolicyRule(checked: "unknown amount", when: [.amountUnknown], then: number),
                PolicyRule(checked: "unnamed creditor", when: [.creditor(.unnamed)], then: number),
                PolicyRule(checked: "free text", when: [.freeText(isShown: true)], then: number),
                PolicyRule(
                    checked: "small amount",
                    when: amounts(AmountRange(atMost: euros(30))) + [
                        .smallPayments(fewerThan: 5, lessThan: euros(100))
                    ],
                    then: possession),
                PolicyRule(checked: "transaction", then: password),
            ]))
        guard let policy else { preconditionFailure("the default policy has a valid name") }
        return policy
    }()
}
