/// `POST /v1/users/{u@d}/login`.
struct LoginBody: Decodable, Sendable {
    /// How the user is authenticated.
    enum Credentials: Sendable {
        /// A one-time password of a crypto application (1…8).
        case oneTimePassword(String, application: UInt8)
        case staticPassword(String)
        /// No credential: the platform is asked to reach the user's devices.
        case remote
    }

    let credentials: Credentials
    let source: SourceFields
    /// The caller's name of the login, given back as it is.
    let requestID: String?

    private enum CodingKeys: String, CodingKey {
        case objectType, credentials, requestID
    }

    private enum CredentialKeys: String, CodingKey {
        case authenticator, passKey
    }

    private enum AuthenticatorKeys: String, CodingKey {
        case oneTimePassword = "OTP"
        case application
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        _ = try fields.decode(.objectType, oneOf: ["LoginInput", "AdaptiveLoginInput"])
        requestID = try fields.decodeIfPresent(.requestID, bytes: 64)
        credentials = try Self.credentials(in: fields)
        source = try SourceFields(from: decoder)
    }

    private static func credentials(in fields: KeyedDecodingContainer<CodingKeys>) throws -> Credentials {
        guard fields.contains(.credentials), try !fields.decodeNil(forKey: .credentials) else { return .remote }
        let credentials = try fields.nestedContainer(keyedBy: CredentialKeys.self, forKey: .credentials)
        let passKey = try credentials.decodeIfPresent(.passKey, bytes: 1_024)
        guard credentials.contains(.authenticator), try !credentials.decodeNil(forKey: .authenticator) else {
            return passKey.map { .staticPassword($0) } ?? .remote
        }
        guard passKey == nil else { throw fields.problem(.credentials, "must hold one credential") }
        let authenticator = try credentials.nestedContainer(keyedBy: AuthenticatorKeys.self, forKey: .authenticator)
        return .oneTimePassword(
            try authenticator.decode(.oneTimePassword, bytes: 32),
            application: UInt8(try authenticator.decodeIfPresent(.application, in: 1...8) ?? 1))
    }
}

/// The answer to ``LoginBody``. An unknown user, a locked one and a wrong code have one and the same.
struct LoginReply: Encodable {
    enum SessionStatus: String, Encodable {
        case accepted, refused
    }

    let sessionStatus: SessionStatus
    let riskResponseCode: RiskResponseCode
    let requestID: String
    /// The code that the user compares with the one in the app, with an accepted one-time password only.
    let hostCode: String?
    /// Why, for `admin` keys only.
    let declineReason: String?
}
