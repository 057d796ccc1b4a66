internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/register`
    func register(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decode(RegisterBody.self, from: request)
        let platform = platform(for: request, context)
        let account = try allowed(
            Self.account(body.userID, body.domain, field: "userID", configuration), in: context)
        let isHelpDesk = context.scope == .helpDesk
        guard !isHelpDesk || body.staticPassword == nil else { throw APIError(.forbidden) }
        let receipt = try await platform.register(
            Registration(account: account, staticPassword: body.staticPassword, requiresAccount: isHelpDesk))
        return try JSONBody.response(
            RegisterReply(
                activationPassword: receipt.activationPassword, activationLink: receipt.activationLink?.text,
                registrationID: receipt.registrationID,
                serialNumber: receipt.serialNumber))
    }

    /// `POST /v1/registrations/check-status`
    func checkStatus(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decode(CheckStatusBody.self, from: request)
        let platform = self.platform(for: request, context)
        let account = try await registered(body, in: context, on: platform)
        guard body.timeoutSeconds > 0 else {
            let status = try await platform.activationStatus(of: account, timeout: .zero)
            return try JSONBody.response(CheckStatusReply(activationStatus: status.rawValue))
        }
        return try await waiting(on: request, context) {
            let status = try await platform.activationStatus(
                of: account, timeout: .seconds(body.timeoutSeconds))
            return CheckStatusReply(activationStatus: status.rawValue)
        }
    }

    /// Returns the account of a request for the status of a registration: the user with the domain after the last `@`,
    /// or the user id as a whole in the default domain, as for an e-mail address that was registered without a domain.
    private func registered(
        _ body: CheckStatusBody, in context: ServerContext, on platform: Platform
    ) async throws -> AccountName {
        guard body.domain == nil else {
            return try allowed(Self.account(body.login, body.domain, field: "login", configuration), in: context)
        }
        let whole = try? Self.account(body.login, nil, field: "login", configuration)
        guard let whole, body.login.contains("@"), context.allows(domain: whole.domain) else {
            return try account(body.login, field: "login", in: context)
        }
        let isRegistered = { try await platform.activationStatus(of: whole, timeout: .zero) != .unknown }
        do {
            let named = try account(body.login, field: "login", in: context)
            guard try await platform.activationStatus(of: named, timeout: .zero) == .unknown else { return named }
            return try await isRegistered() ? whole : named
        } catch let error as APIError {
            guard try await isRegistered() else { throw error }
            return whole
        }
    }

    /// Returns the account of a user id and a domain.
    private static func account(
        _ userID: String, _ domain: String?, field: String, _ configuration: ServerConfiguration
    ) throws(APIError) -> AccountName {
        do {
            return try AccountName(userID: userID, domain: domain ?? configuration.defaultDomain)
        } catch {
            throw APIError(.invalidUserName, field: error.isAboutDomain ? "domain" : field, "is not allowed")
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
    /// Present only if the platform knows its public address.
    let activationLink: String?
    let registrationID: String
    let serialNumber: String
    let riskResponseCode = RiskResponseCode.accept
}

/// `POST /v1/registrations/check-status`.
package struct CheckStatusBody: Decodable, Sendable {
    /// The user, with or without `@domain`.
    let login: String
    /// The domain, if the user has none.
    let domain: String?
    /// The time that the answer may wait for a change, 0…300 seconds.
    let timeoutSeconds: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case login, domain, timeoutSeconds
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        login = try fields.decode(.login, bytes: 600)
        domain = try fields.decodeIfPresent(.domain, nonemptyBytes: 64)
        timeoutSeconds = try fields.decodeIfPresent(.timeoutSeconds, in: 0...300) ?? 0
    }
}

/// The answer to ``CheckStatusBody``: `pending`, `activated`, `timeout` or `unknown`.
struct CheckStatusReply: Encodable {
    let activationStatus: String
}
