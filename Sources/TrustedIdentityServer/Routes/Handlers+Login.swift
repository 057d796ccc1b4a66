internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/login`
    func login(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(LoginBody.self, from: request)
        let credential: LoginRequest.Credential =
            switch body.credentials {
            case .oneTimePassword(let code, let application): .oneTimePassword(code, application: application)
            case .staticPassword(let password): .staticPassword(password)
            case .remote: throw APIError(.remoteAuthenticationUnavailable)
            }
        let decision = try await platform.login(
            LoginRequest(account: account, credential: credential, source: body.source.fingerprint))
        let isAccepted = decision.status == .accepted
        // Why a login was refused would tell a stranger which users exist: it is for administrators.
        let showsReason = !isAccepted && context.scope == .administrator
        return try JSONBody.response(
            LoginReply(
                sessionStatus: isAccepted ? .accepted : .refused,
                riskResponseCode: isAccepted ? .accept : .decline,
                requestID: body.requestID ?? Hex.encode(random.bytes(16)),
                hostCode: decision.hostCode,
                declineReason: showsReason ? decision.reason.rawValue : nil))
    }

    /// `POST /v1/users/{u@d}/sync-authenticator`
    func synchronizeAuthenticator(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(SynchronizeBody.self, from: request)
        try await platform.synchronizeAuthenticator(
            account, codes: (body.first, body.second), application: body.application)
        return try JSONBody.response(StatusReply(status: "synchronized"))
    }
}
