public import Primitives

/// What a registration gives: the activation password, for the user alone.
public struct RegistrationReceipt: Sendable {
    /// What names the registration.
    public let registrationID: String
    /// The serial number that the authenticator gets.
    public let serialNumber: String
    /// Until when the activation password opens an activation: 10 minutes from now.
    public let expiresAt: Timestamp
    private let typed: SecretBox<SecretBytes>

    /// The activation password, `XXXX-XXXX-XXXX`. Bring it to the user by another way than the network of the app.
    public var activationPassword: String { typed.text }

    init(registrationID: String, serialNumber: String, expiresAt: Timestamp, typed: SecretBox<SecretBytes>) {
        self.registrationID = registrationID
        self.serialNumber = serialNumber
        self.expiresAt = expiresAt
        self.typed = typed
    }
}
