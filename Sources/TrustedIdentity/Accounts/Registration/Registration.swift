public import OrchestrationProtocol
public import Primitives

/// A request to register a user.
public struct Registration: Sendable {
    /// The account. It is created if it does not exist, unless ``requiresAccount`` is set.
    public let account: AccountName
    /// Whether the account must exist.
    public let requiresAccount: Bool
    let staticPassword: SecretBox<SecretBytes>?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - account: The user of the application server.
    ///   - staticPassword: A password of 1 to 1,024 bytes of UTF-8 that also logs the user in; `nil` keeps the current
    ///     one.
    ///   - requiresAccount: Whether the account must exist; otherwise the registration throws `unknownUser`.
    public init(account: AccountName, staticPassword: String? = nil, requiresAccount: Bool = false) {
        self.account = account
        self.requiresAccount = requiresAccount
        self.staticPassword = staticPassword.map { SecretBox<SecretBytes>(OpaqueString.of($0)) }
    }
}

/// The result of a registration, with the activation password for the user.
public struct RegistrationReceipt: Sendable {
    /// The id of the registration.
    public let registrationID: String
    /// The serial number of the authenticator.
    public let serialNumber: String
    /// The time until which the activation password starts an activation: 10 minutes after the registration.
    public let expiresAt: Timestamp
    /// The link that names the activation without its secret; `nil` for a platform without
    /// ``PlatformConfiguration/publicAddress``. Show its text as a QR code or send it.
    public let activationLink: ActivationLink?
    private let secret: SecretBox<SecretBytes>

    /// The activation password, `XXXX-XXXX-XXXX`. Hand it to the user over another channel than the app's network.
    public var activationPassword: String { secret.text }

    init(
        registrationID: String, serialNumber: String, expiresAt: Timestamp, activationLink: ActivationLink?,
        activationPassword: SecretBox<SecretBytes>
    ) {
        self.registrationID = registrationID
        self.serialNumber = serialNumber
        self.expiresAt = expiresAt
        self.activationLink = activationLink
        secret = activationPassword
    }
}
