public import OrchestrationProtocol
public import Primitives

/// The parameters of an approval request: the account, the data to approve, and its limits.
public struct ApprovalParameters: Sendable {
    /// The allowed lengths of ``requestID`` in bytes of UTF-8.
    public static let requestIDByteCounts = 1...256
    /// The maximum length of ``sessionID`` in bytes of UTF-8.
    public static let maximumSessionIDBytes = 256

    /// The account. It need not exist: a request for an unknown user expires without an answer.
    public var account: AccountName
    /// The kind of the request.
    public var kind: ApprovalKind
    /// The display data. A transaction has at least one field.
    public var display: DisplayData
    /// The session id of the application server, at most 256 bytes; empty for none. The device signs it.
    public var sessionID: String
    /// The request id of the application server, 1 to 256 bytes; `nil` for one that the platform makes (128 random
    /// bits).
    public var requestID: String?
    /// The application server that asks: the id and the name of its API key. The user sees the name above everything
    /// else, and the id scopes the request id. `nil` for code that embeds the platform and serves one site; the name is
    /// then the tenant's name.
    public var principal: ApprovalPrincipal?
    /// The time for which the request can be answered, 1 to 300 seconds, in whole milliseconds.
    public var lifetime: Duration
    /// Whether the site shows the number that the user types in the app.
    public var showsNumbers: Bool
    /// Further input of the policy.
    public var risk: RiskInput
    /// The notice for the app if the policy refuses a device's answer; `nil` for none. A request that the policy
    /// refuses at once reaches no device, and neither does its notice.
    public var refusalNotice: RefusalNotice?

    /// Creates parameters. Each argument sets the property of the same name.
    ///
    /// ``Platform/requestApproval(_:)`` checks the limits and throws `malformedRequest` for a value outside of them.
    public init(
        _ kind: ApprovalKind, of account: AccountName, display: DisplayData = .empty, sessionID: String = "",
        requestID: String? = nil, principal: ApprovalPrincipal? = nil, lifetime: Duration = defaultLifetime,
        showsNumbers: Bool = false, risk: RiskInput = RiskInput(), refusalNotice: RefusalNotice? = nil
    ) {
        self.account = account
        self.kind = kind
        self.display = display
        self.sessionID = sessionID
        self.requestID = requestID
        self.principal = principal
        self.lifetime = lifetime
        self.showsNumbers = showsNumbers
        self.risk = risk
        self.refusalNotice = refusalNotice
    }
}

/// Input of the policy that the application server provides about a login or transaction. It never authenticates a
/// user.
public struct RiskInput: Sendable {
    /// The secret that the site keeps in a cookie of the user's browser; `nil` for an unknown source. Only a keyed hash
    /// of it is stored.
    public var source: String?
    /// The fingerprint of the browser; `nil` if there is none. Only a keyed hash of it is stored, and only after an
    /// approval.
    public var fingerprint: String?
    /// The network address of the browser.
    public var address: NetworkAddress?
    /// The type of the transaction or event, as the application server names it.
    public var type: String?
    /// The amount of a transaction that shows no amount. An amount in the display data takes precedence.
    public var amount: MonetaryAmount?
    /// The account or the name of the creditor, for a transaction whose display data names none.
    public var creditor: String?

    /// Creates the input. A value that is left out is not known.
    public init(
        source: String? = nil, fingerprint: String? = nil, address: NetworkAddress? = nil, type: String? = nil,
        amount: MonetaryAmount? = nil, creditor: String? = nil
    ) {
        self.source = source
        self.fingerprint = fingerprint
        self.address = address
        self.type = type
        self.amount = amount
        self.creditor = creditor
    }
}
