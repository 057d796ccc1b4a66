public import Primitives

/// The input of a policy: the request, its account, and the platform's knowledge about them.
///
/// All values are plain. The platform collects them before the decision, and the decision reads no store and no clock.
public struct Situation: Sendable, Hashable {
    /// The kind of a request.
    public enum Request: Sendable, Hashable {
        /// A login without credentials, which a device of the user approves.
        case login
        /// A transaction that a device of the user approves.
        case transaction
        /// An event of the application server that a device of the user approves.
        case event
        /// A login with a code that the user typed. The method is the method of the instance whose key made the code.
        case typedCode(application: CryptoApplicationIndex, method: AuthenticationMethod)
        /// A login with the static password of the registration.
        case staticPassword
        /// A transaction with a signature that the user typed. The method is the method of the instance whose key made
        /// it.
        case localSignature(method: AuthenticationMethod)

        /// Whether a device answers the request.
        var isApproval: Bool {
            switch self {
            case .login, .transaction, .event: true
            case .typedCode, .localSignature, .staticPassword: false
            }
        }

        /// Whether the user types a signature.
        var isLocalSignature: Bool {
            switch self {
            case .localSignature: true
            case .login, .transaction, .event, .typedCode, .staticPassword: false
            }
        }
    }

    /// Whether the platform has seen a value before.
    public enum Recognition: UInt8, Sendable, Hashable, CaseIterable {
        /// The application server named it, and the account has used it before.
        case known = 0
        /// The application server did not name it.
        case unnamed = 1
        /// The application server named it, and the account has not used it before.
        case new = 2
    }

    /// The kind of the request.
    public var request: Request
    /// The time of the request, by the platform's clock.
    public var time: Timestamp
    /// The type of a transaction or event, as the application server names it.
    public var type: String?
    /// The amount of a transaction.
    public var amount: MonetaryAmount?
    /// The creditor of a transaction.
    public var creditor: Recognition
    /// Whether the user sees a field of free text, which the policy cannot read. The fields of a typed signature are
    /// free text.
    public var showsFreeText: Bool
    /// The network address of the user's browser, as the application server names it.
    public var address: NetworkAddress?
    /// The user's browser fingerprint, as the application server names it.
    public var browser: Recognition
    /// Whether the source of the request has logged in to the account before; `false` for a request without a source.
    public var isSourceKnown: Bool
    /// Whether the API key's site shows numbers.
    public var showsNumbers: Bool
    /// The time since the latest activation of a device of the account; `nil` if it is not known.
    public var deviceAge: Duration?
    /// The methods that at least one device of the account has; `nil` if they are not known. The platform uses them for
    /// the decision record only: the result for a caller must not show whether a user has devices.
    public var availableMethods: Set<AuthenticationMethod>?
    /// The data that the answering device reports about itself, by field name; `nil` before a device has answered.
    ///
    /// The values are claims of the device. When an approval request is created, they are `nil`, and rules with
    /// conditions on them are decided at the answer. For credentials that the user typed, they stay `nil`, and no value
    /// is known. If a value is not known, each rule that could apply has to accept.
    public var deviceData: [String: String]?
    /// The record of pushes, rejections and payments of the account.
    public var risk: RiskState

    /// Creates a situation. A value that is left out is not known.
    public init(
        _ request: Request, at time: Timestamp, type: String? = nil, amount: MonetaryAmount? = nil,
        creditor: Recognition = .unnamed, showsFreeText: Bool = false, address: NetworkAddress? = nil,
        browser: Recognition = .unnamed, isSourceKnown: Bool = false, showsNumbers: Bool = false,
        deviceAge: Duration? = nil, availableMethods: Set<AuthenticationMethod>? = nil,
        deviceData: [String: String]? = nil, risk: RiskState = RiskState()
    ) {
        self.request = request
        self.time = time
        self.type = type
        self.amount = amount
        self.creditor = creditor
        self.showsFreeText = showsFreeText
        self.address = address
        self.browser = browser
        self.isSourceKnown = isSourceKnown
        self.showsNumbers = showsNumbers
        self.deviceAge = deviceAge
        self.availableMethods = availableMethods
        self.deviceData = deviceData
        self.risk = risk
    }
}

extension Situation.Recognition: CustomStringConvertible {
    /// The name of the case, for example `unnamed`.
    public var description: String {
        switch self {
        case .known: "known"
        case .unnamed: "unnamed"
        case .new: "new"
        }
    }
}
