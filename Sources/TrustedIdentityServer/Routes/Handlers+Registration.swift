internal import Hummingbird
internal import Primitives
internal import ServiceLifecycle
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/register`
    func register(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decode(RegisterBody.self, from: request)
        let account: AccountName
        do {
            account = try AccountName(userID: body.userID, domain: body.domain ?? configuration.defaultDomain)
        } catch {
            throw APIError(.invalidUserName, field: error.isOfDomain ? "domain" : "userID", "is not allowed")
        }
        let receipt = try await platform.register(
            Registration(account: account, staticPassword: body.staticPassword))
        return try JSONBody.response(
            RegisterReply(
                activationPassword: receipt.activationPassword, registrationID: receipt.registrationID,
                serialNumber: receipt.serialNumber))
    }

    /// `POST /v1/registrations/check-status`
    func checkStatus(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decode(CheckStatusBody.self, from: request)
        let account = try account(body.login, field: "login")
        guard body.timeoutSeconds > 0 else {
            let status = try await platform.activationStatus(of: account, timeout: .zero)
            return try JSONBody.response(CheckStatusReply(activationStatus: status.rawValue))
        }
        let (platform, content) = (platform, request.body)
        // The wait ends with the server and with the caller, whichever goes first.
        let status = try await cancelWhenGracefulShutdown {
            try await content.consumeWithCancellationOnInboundClose { _ in
                try await platform.activationStatus(of: account, timeout: .seconds(body.timeoutSeconds))
            }
        }
        var response = try JSONBody.response(CheckStatusReply(activationStatus: status.rawValue))
        // Watching the caller has used up the connection's input.
        response.headers[.connection] = "close"
        return response
    }

    /// `POST /v1/users/{u@d}/unregister`
    func unregister(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await platform.unregister(account(in: context))
        return try JSONBody.response(StatusReply(status: "unregistered"))
    }

    /// `GET /v1/users/{u@d}`
    func showUser(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let report = try await platform.account(account(in: context)) else { throw APIError(.unknownUser) }
        return try JSONBody.response(AccountBody(report))
    }
}

extension AccountNameError {
    /// Whether the domain is the part that is wrong.
    fileprivate var isOfDomain: Bool {
        switch self {
        case .domainEmpty, .domainTooLong, .domainCharacter: true
        case .userIDEmpty, .userIDTooLong, .userIDCharacter: false
        }
    }
}
