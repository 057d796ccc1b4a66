public import Primitives

/// The parameters of ``Orchestrator/signLocally(_:)``. Neither printing nor reflection shows the user or the fields.
public struct LocalTransactionParameters: FlowParameters, Sendable, Redacted {
    /// The user id, or `user@domain`.
    public var user: String

    /// The domain, or `nil` for the domain in ``user`` or the default domain.
    public var domain: String?

    /// The fields that are signed, in their order: 1 to 8, with texts of at most 16 characters. Their texts are signed
    /// in Unicode normalization form C. Show the user the fields and their labels as they are here.
    public var fields: [DataField]

    /// The crypto application that signs; `nil` for the first one that the platform has issued for signatures.
    public var application: CryptoApplicationIndex?

    /// The protection that the app chooses. `.biometric` and `.face` fall back to the password, with a warning, where
    /// the system cannot bind a key to them.
    public var protection: AuthenticationMethod

    /// The use of the network after the signature was made.
    public var synchronization: OneTimePasswordParameters.Synchronization

    /// Creates the parameters of a local transaction.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    ///   - fields: The fields that are signed, 1 to 8.
    ///   - application: The crypto application that signs.
    ///   - protection: The protection that the app chooses.
    ///   - synchronization: The use of the network after the signature was made; 5 seconds at most by default.
    public init(
        user: String, domain: String? = nil, fields: [DataField], application: CryptoApplicationIndex? = nil,
        protection: AuthenticationMethod = .password,
        synchronization: OneTimePasswordParameters.Synchronization = .atMost(.seconds(5))
    ) {
        self.user = user
        self.domain = domain
        self.fields = fields
        self.application = application
        self.protection = protection
        self.synchronization = synchronization
    }

    /// A constant text.
    public var description: String { "local transaction parameters" }
}

/// The signature of a local transaction and what an app shows with it. Neither printing nor reflection shows the codes
/// or the fields.
public struct LocalSignature: Sendable, Redacted {
    /// The signature for the site: decimal digits.
    ///
    /// Only the platform knows whether the password behind it was right. A wrong password makes a signature that looks
    /// like any other.
    public let signature: String

    /// The fields that were signed, in normalization form C.
    public let fields: [DataField]

    /// The code that the site must show after the platform has accepted ``signature`` over the same ``fields``, where
    /// the platform has configured one. It proves the site to the user.
    public let hostCode: String?

    /// The method that made the signature.
    public let method: AuthenticationMethod

    /// A text that names the method and shows no code.
    public var description: String { "signature (\(method))" }
}

extension LocalTransactionParameters: LocalCodeParameters {
    static let flowKind = FlowKind("localTransaction")

    var applicationIndex: CryptoApplicationIndex? { application }

    func data() throws(OrchestrationError) -> LocalCode.Data {
        do throws(DataFieldError) {
            return .fields(try DataFields(fields).fields)
        } catch {
            throw OrchestrationError(.invalidArgument, underlying: error)
        }
    }

    func result(of code: LocalCode, over data: LocalCode.Data) -> LocalSignature {
        LocalSignature(signature: code.digits, fields: data.fields, hostCode: code.hostCode, method: code.method)
    }

    static func ready(_ code: LocalSignature) -> FlowEvent { .signatureReady(code) }

    static func outcome(_ code: LocalSignature) -> Outcome { .signedLocally(code) }
}
