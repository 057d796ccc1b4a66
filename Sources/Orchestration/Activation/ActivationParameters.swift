public import Primitives

/// What ``Orchestrator/activate(_:)`` needs (requirement D4).
///
/// Neither printing nor reflection shows the code; it is wiped when the last copy of the parameters and the flow go.
public struct ActivationParameters: Sendable, Redacted {
    /// The user id, or `user@domain`.
    public let user: String

    /// The domain, where it is neither in ``user`` nor the orchestrator's default.
    public let domain: String?

    let activationPassword: SecretBox<SecretBytes>

    /// Takes the parameters of an activation.
    ///
    /// - Parameters:
    ///   - user: the user id, or `user@domain`.
    ///   - domain: the domain, where it is not the default.
    ///   - activationPassword: the code that the user got outside the network: twelve characters; lower case, spaces
    ///     and hyphens do not matter.
    public init(user: String, domain: String? = nil, activationPassword: consuming SecretBytes) {
        self.user = user
        self.domain = domain
        self.activationPassword = SecretBox(activationPassword)
    }

    /// Takes the parameters of an activation, with a code that is a string already. The string is the caller's, and
    /// cannot be wiped: prefer the initializer that takes
    /// `SecretBytes`.
    public init(user: String, domain: String? = nil, activationPassword: String) {
        self.init(user: user, domain: domain, activationPassword: SecretBytes(copying: activationPassword.utf8))
    }

    /// Names nobody and shows nothing.
    public var description: String { "activation parameters" }
}
