public import Primitives

/// The parameters of ``Orchestrator/activate(_:)``.
///
/// Neither printing nor reflection shows the activation password. It is wiped when the last copy of the parameters and
/// the flow are released.
public struct ActivationParameters: FlowParameters, Sendable, Redacted {
    /// The user id, or `user@domain`.
    public let user: String

    /// The domain, or `nil` for the domain in ``user`` or the default domain.
    public let domain: String?

    /// The activation password, or `nil` to resume an activation.
    let activationPassword: SecretBox<SecretBytes>?

    /// Creates the parameters of an activation.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    ///   - activationPassword: The text that the user received outside the network: twelve characters. Case, spaces and
    ///     hyphens are ignored.
    public init(user: String, domain: String? = nil, activationPassword: consuming SecretBytes) {
        self.user = user
        self.domain = domain
        self.activationPassword = SecretBox(activationPassword)
    }

    /// Creates the parameters of an activation, with an activation password in a string.
    ///
    /// A string cannot be wiped: prefer the initializer that takes `SecretBytes`.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    ///   - activationPassword: The text that the user received outside the network.
    public init(user: String, domain: String? = nil, activationPassword: String) {
        self.init(user: user, domain: domain, activationPassword: SecretBytes(copying: activationPassword.utf8))
    }

    /// Creates the parameters for an activation that was interrupted after the user had chosen a password.
    ///
    /// The device needs no activation password then: the user types the chosen password, or nothing if the platform has
    /// accepted it already. ``UserInformation/state-swift.property`` is `pending` for such a user. The flow throws
    /// `userUnknown` when there is nothing to resume, and ends with `activationExpired` when the
    /// platform has dropped the device meanwhile.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    public init(resuming user: String, domain: String? = nil) {
        self.user = user
        self.domain = domain
        activationPassword = nil
    }

    /// A constant text.
    public var description: String { "activation parameters" }
}
