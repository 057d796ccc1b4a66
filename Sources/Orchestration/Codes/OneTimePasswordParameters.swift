public import Primitives

/// The parameters of ``Orchestrator/authenticateLocally(_:)``. Neither printing nor reflection shows the user or the
/// challenge.
public struct OneTimePasswordParameters: FlowParameters, Sendable, Redacted {
    /// The use of the network after the code was made.
    @nonexhaustive
    public enum Synchronization: Sendable, Hashable {
        /// One request moves the key ratchet. ``FlowEvent/succeeded(_:)`` waits for its answer at most this long, by
        /// the orchestrator's time source.
        case atMost(Duration)
        /// No request is sent. The ratchet moves with the next contact.
        case never
    }

    /// The user id, or `user@domain`.
    public var user: String

    /// The domain, or `nil` for the domain in ``user`` or the default domain.
    public var domain: String?

    /// The crypto application that makes the code.
    public var application: CryptoApplicationIndex

    /// The challenge of the platform, for an application that answers one: 1 to 128 bytes of UTF-8. White space in
    /// it and full-width digits make no difference.
    public var challenge: String?

    /// The protection that the app chooses. `.biometric` and `.face` fall back to the password, with a warning, where
    /// the system cannot bind a key to them.
    public var protection: AuthenticationMethod

    /// The use of the network after the code was made.
    public var synchronization: Synchronization

    /// Creates the parameters of a one-time password.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    ///   - application: The crypto application that makes the code.
    ///   - challenge: The challenge of the platform, where the application answers one.
    ///   - protection: The protection that the app chooses.
    ///   - synchronization: The use of the network after the code was made; 5 seconds at most by default.
    public init(
        user: String, domain: String? = nil, application: CryptoApplicationIndex = .app1, challenge: String? = nil,
        protection: AuthenticationMethod = .password, synchronization: Synchronization = .atMost(.seconds(5))
    ) {
        self.user = user
        self.domain = domain
        self.application = application
        self.challenge = challenge
        self.protection = protection
        self.synchronization = synchronization
    }

    /// A constant text.
    public var description: String { "one-time password parameters" }
}

/// A one-time password and what an app shows with it. Neither printing nor reflection shows the codes.
public struct OneTimePasswordResult: Sendable, Redacted {
    /// The code for the site: decimal digits.
    ///
    /// Only the platform knows whether the password behind the code was right. A wrong password makes a code that looks
    /// like any other.
    public let oneTimePassword: String

    /// The code that the site must show after it has accepted ``oneTimePassword``, where the platform has configured
    /// one. It proves the site to the user.
    public let hostCode: String?

    /// The time until the code expires in whole seconds, rounded up, by the platform's clock; `nil` for codes that do
    /// not depend on the time.
    public let expiresIn: Duration?

    /// The method that made the code.
    public let method: AuthenticationMethod

    /// A text that names the method and shows no code.
    public var description: String { "one-time password (\(method))" }
}

extension OneTimePasswordParameters: LocalCodeParameters {
    static let flowKind = FlowKind("oneTimePassword")

    var applicationIndex: CryptoApplicationIndex? { application }

    func data() -> LocalCode.Data { challenge.map { .challenge(TypedDigits.of($0)) } ?? .nothing }

    func result(of code: LocalCode, over data: LocalCode.Data) -> OneTimePasswordResult {
        OneTimePasswordResult(
            oneTimePassword: code.digits, hostCode: code.hostCode, expiresIn: code.expiresIn, method: code.method)
    }

    static func ready(_ code: OneTimePasswordResult) -> FlowEvent { .oneTimePasswordReady(code) }

    static func outcome(_ code: OneTimePasswordResult) -> Outcome { .authenticatedLocally(code) }
}
