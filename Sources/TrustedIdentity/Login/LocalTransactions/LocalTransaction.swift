public import Primitives

/// A request of an application server to verify a signature that a device made without a network.
public struct LocalTransaction: Sendable {
    /// The account that the user claims. It need not exist.
    public let account: AccountName
    /// The crypto application that made the signature.
    public let application: CryptoApplicationIndex
    /// The text by which the application server recognizes the browser: see ``LoginRequest/source``.
    public let source: String?
    /// The network address of the user's browser, as the application server names it. It only informs the policy.
    public let address: NetworkAddress?
    /// The user's browser fingerprint, as the application server names it. It only informs the policy.
    public let fingerprint: String?
    /// The type of the transaction, as the application server names it. It only informs the policy.
    public let type: String?
    /// The amount of the transaction, as the application server names it; `nil` if it is not known. It only informs the
    /// policy: the fields are texts, and the platform does not compare the two.
    public let amount: MonetaryAmount?
    /// The account or the name of the creditor, as the application server names it. It only informs the policy.
    public let creditor: String?
    /// Whether the API key's site shows numbers. It only informs the policy.
    public let showsNumbers: Bool
    let fields: DataFields
    let signature: SecretBox<SecretBytes>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - account: The account that the user claims.
    ///   - fields: The fields that the signature must cover, in the order of the app, 1 to 8: with the labels that the
    ///     app shows, or all without labels. The platform brings their texts in normalization form C.
    ///   - signature: The signature as typed. White space in it and full-width digits make no difference.
    ///   - application: The crypto application that made it.
    ///   - source: The text by which the application server recognizes the browser.
    ///   - address: The network address of the user's browser.
    ///   - fingerprint: The user's browser fingerprint.
    ///   - type: The type of the transaction.
    ///   - amount: The amount that the fields contain.
    ///   - creditor: The account or the name of the creditor that the fields contain.
    ///   - showsNumbers: Whether the API key's site shows numbers.
    /// - Throws: `DataFieldError`, which names the field.
    public init(
        account: AccountName, fields: [DataField], signature: String, application: CryptoApplicationIndex = .app4,
        source: String? = nil, address: NetworkAddress? = nil, fingerprint: String? = nil,
        type: String? = nil, amount: MonetaryAmount? = nil, creditor: String? = nil, showsNumbers: Bool = false
    ) throws(DataFieldError) {
        self.account = account
        self.application = application
        self.source = source
        self.address = address
        self.fingerprint = fingerprint
        self.type = type
        self.amount = amount
        self.creditor = creditor
        self.showsNumbers = showsNumbers
        self.fields = try DataFields(fields)
        self.signature = SecretBox<SecretBytes>(TypedDigits.of(signature))
    }
}
