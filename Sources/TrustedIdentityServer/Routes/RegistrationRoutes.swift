internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/register`
    func register(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decode(RegisterBody.self, from: request)
        let account: AccountName
        do {
            account = try AccountName(userID: body.userID, domain: body.domain ?? configuration.defaultDomain)
        } catch {
            throw APIError(.invalidUserName, field: error.isAboutDomain ? "domain" : "userID", "is not allowed")
        }
        let receipt = try await platform(for: request, context).register(
            Registration(account: allowed(account, in: context), staticPassword: body.staticPassword))
        return try JSONBody.response(
            RegisterReply(
                activationPassword: receipt.activationPassword, registrationID: receipt.registrationID,
                serialNumber: receipt.serialNumber))
    }

    /// `POST /v1/registrations/check-status`
    func checkStatus(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decode(CheckStatusBody.self, from: request)
        let account = try account(body.login, field: "login", in: context)
        guard body.timeoutSeconds > 0 else {
            let status = try await platform(for: request, context).activationStatus(of: account, timeout: .zero)
            return try JSONBody.response(CheckStatusReply(activationStatus: status.rawValue))
        }
        let platform = self.platform(for: request, context)
        return try await waiting(on: request, context) {
            let status = try await platform.activationStatus(
                of: account, timeout: .seconds(body.timeoutSeconds))
            return CheckStatusReply(activationStatus: status.rawValue)
        }
    }
}

/// `POST /v1/users/register`.
package struct RegisterBody: Decodable, Sendable {
    let userID: String
    let domain: String?
    let staticPassword: String?
    let source: SourceFields

    enum CodingKeys: String, CodingKey, CaseIterable {
        case objectType, userID, domain, staticPassword, activationType
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        _ = try fields.decode(.objectType, oneOf: ["RegisterUserInputEx", "AdaptiveRegisterUserInput"])
        userID = try fields.decode(.userID, bytes: 512)
        domain = try fields.decodeIfPresent(.domain, bytes: 64)
        staticPassword = try fields.decodeIfPresent(String.self, forKey: .staticPassword)
        if let staticPassword, !(1...1_024).contains(staticPassword.utf8.count) {
            throw fields.problem(.staticPassword, "must have 1 to 1024 bytes", code: .invalidStaticPassword)
        }
        switch try fields.decodeIfPresent(String.self, forKey: .activationType) {
        case nil, "onlineMDL": break
        case "offlineMDL", "fido":
            throw fields.problem(.activationType, "is not offered", code: .activationTypeUnavailable)
        default: throw fields.problem(.activationType, "must be onlineMDL")
        }
        source = try SourceFields(from: decoder)
    }
}

/// The answer to ``RegisterBody``.
struct RegisterReply: Encodable {
    let activationPassword: String
    let registrationID: String
    let serialNumber: String
    let riskResponseCode = RiskResponseCode.accept
}

/// `POST /v1/registrations/check-status`.
package struct CheckStatusBody: Decodable, Sendable {
    /// The user, with or without `@domain`.
    let login: String
    /// The time that the answer may wait for a change, 0…300 seconds.
    let timeoutSeconds: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case login, timeoutSeconds
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        login = try fields.decode(.login, bytes: 600)
        timeoutSeconds = try fields.decodeIfPresent(.timeoutSeconds, in: 0...300) ?? 0
    }
}

/// The answer to ``CheckStatusBody``: `pending`, `activated`, `timeout` or `unknown`.
struct CheckStatusReply: Encodable {
    let activationStatus: String
}
