internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `GET /v1/authenticators`
    func listAuthenticators(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try AuthenticatorQuery(request)
        guard let principal = context.principal else { throw APIError(.unauthorized) }
        // The domain is checked as part of a name, which is refused as on every other route.
        let domain = try query.domain.map { try account("user@\($0)", field: "domain", in: context).domain }
        let page = try await platform(for: request, context).authenticators(
            DeviceFilter(
                serialNumber: query.serialNumber,
                domains: domain.map { [$0] } ?? (principal.domains.isEmpty ? nil : Set(principal.domains)),
                isAssigned: query.isAssigned),
            offset: query.offset, limit: query.limit)
        return try JSONBody.response(AuthenticatorsReply(page, offset: query.offset, limit: query.limit))
    }
}

/// The query of a list of authenticators.
struct AuthenticatorQuery {
    static let defaultLimit = 20
    static let maximumOffset = 2_147_483_647

    var serialNumber: String?
    var domain: String?
    var isAssigned: Bool?
    var offset = 0
    var limit = defaultLimit

    init(_ request: Request) throws(APIError) {
        let parameters = request.uri.queryParameters
        serialNumber = parameters["serialNumber"].map(String.init)
        guard (1...64).contains(serialNumber?.utf8.count ?? 1) else {
            throw APIError(field: "serialNumber", "must have 1 to 64 bytes")
        }
        domain = parameters["domain"].map(String.init)
        switch parameters["assigned"] {
        case nil: isAssigned = nil
        case "true": isAssigned = true
        case "false": isAssigned = false
        default: throw APIError(field: "assigned", "must be true or false")
        }
        guard ["TYPMD", nil].contains(parameters["type"]) else { throw APIError(field: "type", "must be TYPMD") }
        offset = try Self.number("offset", parameters["offset"], in: 0...Self.maximumOffset) ?? 0
        limit =
            try Self.number("limit", parameters["limit"], in: 1...AuthenticatorPage.maximumLimit) ?? Self.defaultLimit
    }

    private static func number(
        _ name: String, _ text: Substring?, in range: ClosedRange<Int>
    ) throws(APIError) -> Int? {
        guard let text else { return nil }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text.utf8.count <= 10, text.utf8.allSatisfy(digits.contains), let number = Int(text),
            range.contains(number)
        else { throw APIError(field: name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }
}

/// One page of a list of authenticators.
struct AuthenticatorsReply: Encodable {
    /// A device that was activated.
    struct Authenticator: Encodable {
        let serialNumber: String
        let authenticatorType = "TYPMD"
        let deviceID: String
        let assigned: Bool
        let userID: String
        let domain: String
        let applications: [Int]
    }

    let total: Int
    let offset: Int
    let limit: Int
    let authenticators: [Authenticator]

    init(_ page: AuthenticatorPage, offset: Int, limit: Int) throws {
        total = page.total
        self.offset = offset
        self.limit = limit
        authenticators = try page.authenticators.map { authenticator in
            let account = try AccountName(text: authenticator.account, defaultDomain: "")
            return Authenticator(
                serialNumber: authenticator.serialNumber, deviceID: Hex.encode(authenticator.device),
                assigned: authenticator.isAssigned, userID: account.userID, domain: account.domain,
                applications: authenticator.applications)
        }
    }
}
