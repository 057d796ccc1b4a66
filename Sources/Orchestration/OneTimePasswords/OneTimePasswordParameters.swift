public import Primitives

/// What ``Orchestrator/authenticateLocally(_:)`` needs (requirement H3). Neither printing nor reflection shows whom it is
/// about.
public struct OneTimePasswordParameters: Sendable, Redacted {
    /// How the device may use the network after the code is made.
    public enum Synchronization: Sendable, Hashable {
        /// The key ratchet is moved with one request; ``FlowEvent/succeeded(_:)`` waits for it, at most this long.
        ///
        /// - Parameter milliseconds: by the orchestrator's time source.
        case atMost(milliseconds: Int64)
        /// No request leaves. The ratchet moves with the next contact.
        case never
    }

    /// The user id, or `user@domain`.
    public var user: String

    /// The domain, where it is neither in ``user`` nor the orchestrator's default.
    public var domain: String?

    /// Which crypto application makes the code.
    public var application: CryptoApplicationIndex

    /// The platform's challenge, for applications that answer one (requirement H4): 1 to 128 bytes of UTF-8, taken as
    /// they are.
    public var challenge: String?

    /// The protection that the app chooses (requirement H5). `.biometric` and `.face` fall back to the password with a
    /// warning where the system cannot bind a key to them (X16, J2).
    public var protection: AuthenticationMethod

    /// How the device may use the network afterwards.
    public var synchronization: Synchronization

    /// Takes the parameters of a local authentication.
    ///
    /// - Parameters:
    ///   - user: the user id, or `user@domain`.
    ///   - domain: the domain, where it is not the default.
    ///   - application: which crypto application makes the code.
    ///   - challenge: the platform's challenge, where the application answers one.
    ///   - protection: the protection that the app chooses.
    ///   - synchronization: how the device may use the network afterwards; 5 seconds at most by default.
    public init(
        user: String, domain: String? = nil, application: CryptoApplicationIndex = .app1, challenge: String? = nil,
        protection: AuthenticationMethod = .password,
        synchronization: Synchronization = .atMost(milliseconds: 5_000)
    ) {
        self.user = user
        self.domain = domain
        self.application = application
        self.challenge = challenge
        self.protection = protection
        self.synchronization = synchronization
    }

    /// Names nobody and shows nothing.
    public var description: String { "local authentication parameters" }
}
