internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/login`
    func login(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(LoginBody.self, from: request)
        let credential: LoginRequest.Credential
        switch body.credentials {
        case .oneTimePassword(let code, let application):
            credential = .oneTimePassword(code, application: application)
        case .challengeResponse(let code, let requestID): credential = .challengeResponse(code, requestID: requestID)
        case .code(let code, let requestID): credential = .code(code, requestID: requestID)
        case .staticPassword(let password): credential = .staticPassword(password)
        case .remote: return try await approve(body.remote, .login, of: account, request, context)
        }
        let source = body.remote.source
        let decision = try await platform(for: request, context).login(
            LoginRequest(
                account: account, credential: credential, source: source.sourceID, address: source.address,
                fingerprint: source.fingerprint, showsNumbers: context.principal?.showsNumbers ?? false,
                principal: context.principal?.id ?? ""))
        return try reply(to: decision, requestID: body.remote.requestID, context)
    }

    /// Returns the answer with a decision on a login or a transaction.
    ///
    /// - Parameter requestID: The caller's id; `nil` for a random one.
    func reply(to decision: LoginDecision, requestID: String?, _ context: ServerContext) throws -> Response {
        try JSONBody.response(
            LoginReply(
                decision, requestID: requestID ?? Hex.encode(random.bytes(16)),
                showsReason: isAdministrator(context)))
    }

    /// `POST /v1/users/{u@d}/sync-authenticator`
    func synchronizeAuthenticator(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(SynchronizeBody.self, from: request)
        try await platform(for: request, context).synchronizeAuthenticator(
            account, codes: (body.first, body.second), application: body.application)
        return try JSONBody.response(StatusReply(status: "synchronized"))
    }
}

/// `POST /v1/users/{u@d}/login`.
package struct LoginBody: Decodable, Sendable {
    /// The credential of a login, or its absence.
    enum Credentials: Sendable {
        /// A one-time password of a crypto application (1…8).
        case oneTimePassword(String, application: CryptoApplicationIndex)
        /// A code over the challenge with a request id.
        case challengeResponse(String, requestID: String)
        /// A code over the challenge with a request id, if there is one, or a one-time password of application 1.
        case code(String, requestID: String)
        case staticPassword(String)
        /// No credential: the platform asks the user's devices.
        case remote
    }

    let credentials: Credentials
    /// The fields of a login without a credential. The id and the source count for every login.
    let remote: RemoteFields

    enum CodingKeys: String, CodingKey, CaseIterable {
        case objectType, credentials, requestID
    }

    enum CredentialKeys: String, CodingKey, CaseIterable {
        case authenticator, passKey
    }

    /// The name of any member.
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    enum AuthenticatorKeys: String, CodingKey, CaseIterable {
        case oneTimePassword = "OTP"
        case application
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        _ = try fields.decode(.objectType, oneOf: ["LoginInput", "AdaptiveLoginInput"])
        remote = try RemoteFields(from: decoder)
        credentials = try Self.credentials(in: fields, requestID: remote.requestID)
    }

    private static func credentials(
        in fields: KeyedDecodingContainer<CodingKeys>, requestID: String?
    ) throws -> Credentials {
        guard fields.contains(.credentials), try !fields.decodeNil(forKey: .credentials) else { return .remote }
        // A credential that this version does not know must not become a remote login.
        let members = try fields.nestedContainer(keyedBy: MemberName.self, forKey: .credentials)
        let known = CredentialKeys.allCases.map(\.stringValue)
        if let unknown = members.allKeys.map(\.stringValue).filter({ !known.contains($0) }).min() {
            throw members.problem(MemberName(stringValue: String(unknown.prefix(64))), "is not supported")
        }
        let credentials = try fields.nestedContainer(keyedBy: CredentialKeys.self, forKey: .credentials)
        let passKey = try credentials.decodeIfPresent(.passKey, bytes: 1_024)
        guard credentials.contains(.authenticator), try !credentials.decodeNil(forKey: .authenticator) else {
            guard let passKey else { throw fields.problem(.credentials, "must hold one credential") }
            return .staticPassword(passKey)
        }
        guard passKey == nil else { throw fields.problem(.credentials, "must hold one credential") }
        let authenticator = try credentials.nestedContainer(keyedBy: AuthenticatorKeys.self, forKey: .authenticator)
        let code = try authenticator.decode(.oneTimePassword, bytes: 32)
        guard let application = try authenticator.decodeApplicationIfPresent(.application) else {
            // Public clients of the original API name the challenge, and not the application.
            return requestID.map { .code(code, requestID: $0) } ?? .oneTimePassword(code, application: .app1)
        }
        guard application == .app3 else { return .oneTimePassword(code, application: application) }
        // The request id names the challenge that the code is over.
        guard let requestID else { throw fields.problem(.requestID, "is required for application 3") }
        return .challengeResponse(code, requestID: requestID)
    }
}

/// The answer to ``LoginBody`` and ``TransactionBody``.
struct LoginReply: Encodable {
    enum SessionStatus: String, Encodable {
        case accepted
        /// The credential is wrong. The status is the same for an unknown user and for a blocked one.
        case failed
        /// The policy does not allow a correct credential, or no code of the crypto application. In the second case,
        /// the status is the same for an unknown user and for a blocked one.
        case refused
        /// The user's devices are asked.
        case pending
        /// No device has answered in time.
        case timeout

        init(_ decision: LoginDecision) {
            switch decision.status {
            case .accepted: self = .accepted
            case .refused: self = decision.reason.isDecisionOfPolicy ? .refused : .failed
            }
        }
    }

    let sessionStatus: SessionStatus
    let riskResponseCode: RiskResponseCode
    let requestID: String
    /// The code that the user compares with the code in the app; only for an accepted one-time password.
    let hostCode: String?
    /// The reason for a refusal. For a credential, only `admin` keys get it.
    let declineReason: String?
    /// The pointer to the approval request as text, for a QR code; while it is pending and the caller has asked for it.
    let requestMessage: String?
    /// The number that the site shows; while the request is pending.
    let numberToMatch: String?
    /// The receipt of an answer, in Base64URL.
    let receipt: String?
    /// The method of an accepted code, or of the answer of a device.
    let verifiedMethod: String?
    /// The device's reason for using a different method than the requested one.
    let fallback: String?
}

extension LoginReply {
    /// Creates the reply about a credential.
    init(_ decision: LoginDecision, requestID: String, showsReason: Bool) {
        let isAccepted = decision.status == .accepted
        sessionStatus = .init(decision)
        riskResponseCode = isAccepted ? .accept : .refuse
        self.requestID = requestID
        hostCode = decision.hostCode
        // The reason for a refusal reveals which users exist, so only administrators get it.
        declineReason = isAccepted || !showsReason ? nil : decision.reason.rawValue
        requestMessage = nil
        numberToMatch = nil
        receipt = nil
        verifiedMethod = decision.method?.description
        fallback = nil
    }
}

/// `POST /v1/users/{u@d}/sync-authenticator`: two one-time passwords in succession.
package struct SynchronizeBody: Decodable, Sendable {
    let first: String
    let second: String
    let application: CryptoApplicationIndex

    enum CodingKeys: String, CodingKey, CaseIterable {
        case firstOTP, secondOTP, application
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        first = try fields.decode(.firstOTP, bytes: 32)
        second = try fields.decode(.secondOTP, bytes: 32)
        if TypedDigits.of(first) == TypedDigits.of(second) {
            throw fields.problem(.secondOTP, "must be the one-time password after firstOTP")
        }
        application = try fields.decodeApplicationIfPresent(.application) ?? .app1
    }
}

/// The source of a request, as the application server describes it. It informs risk rules and limits, and never
/// authenticates.
struct SourceFields: Decodable, Sendable {
    /// The secret that the site keeps in a cookie of the user's browser, 1 to 256 bytes.
    let sourceID: String?
    /// The network address of the user's browser; `nil` for a text that is not an address.
    let address: NetworkAddress?
    /// The fingerprint of the user's browser.
    let fingerprint: String?
    /// The session of the application server.
    let sessionID: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case clientIP, cddc, sourceID, relationshipRef, sessionID, applicationRef
    }

    enum DeviceKeys: String, CodingKey, CaseIterable {
        case browserCDDC
    }

    enum BrowserKeys: String, CodingKey, CaseIterable {
        case fingerprintHash
        /// Any value of JSON. It is not decoded.
        case fingerprintRaw
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        sourceID = try fields.decodeIfPresent(.sourceID, nonemptyBytes: 256)
        address = try fields.decodeIfPresent(.clientIP, bytes: 256).flatMap { NetworkAddress($0) }
        sessionID = try fields.decodeIDIfPresent(.sessionID)
        // Accepted for compatibility. A wrong type is refused; the values are not used.
        for key in [CodingKeys.relationshipRef, .applicationRef] {
            _ = try fields.decodeIfPresent(key, bytes: 256)
        }
        fingerprint = try Self.fingerprint(in: fields)
    }

    private static func fingerprint(in fields: KeyedDecodingContainer<CodingKeys>) throws -> String? {
        guard fields.contains(.cddc), try !fields.decodeNil(forKey: .cddc) else { return nil }
        let device = try fields.nestedContainer(keyedBy: DeviceKeys.self, forKey: .cddc)
        guard device.contains(.browserCDDC), try !device.decodeNil(forKey: .browserCDDC) else { return nil }
        let browser = try device.nestedContainer(keyedBy: BrowserKeys.self, forKey: .browserCDDC)
        let hash = try browser.decodeIfPresent(.fingerprintHash, bytes: 256)
        return hash == "" ? nil : hash
    }
}
