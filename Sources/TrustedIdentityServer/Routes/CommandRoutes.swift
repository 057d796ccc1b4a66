internal import Hummingbird
internal import TrustedIdentity
internal import Wire

extension Handlers {
    /// `POST /v1/orchestration-commands`: no API key is necessary, because commands protect themselves.
    ///
    /// The platform limits requests by the device that a command proves, or by the address when it proves none. An
    /// application server that relays commands sends its API key and the address of the end user, so that one end user
    /// cannot use up the limit of all others. Without a key, `clientIP` is ignored: anybody could name any address.
    func command(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isRelayed = request.headers[.authorization] != nil
        if isRelayed {
            let keys = APIKeyMiddleware(platform: platform, scopes: [.applicationServer, .administrator])
            _ = try await keys.scope(of: request)
        }
        let body = try await JSONBody.decode(CommandBody.self, from: request)
        let command: OrchestrationCommand
        do {
            command = try OrchestrationCommand(text: body.command)
        } catch {
            throw APIError(.undecodableCommand)
        }
        let endUser = isRelayed ? body.clientIP : nil
        let sender = ClientAddress.of(request, context, isBehindProxy: configuration.isBehindProxy)
        let answer = try await platform.execute(command, from: endUser ?? sender ?? "local")
        return try JSONBody.response(CommandReply(command: answer.text))
    }

    /// `GET /health`: whether this process answers and its store can be read.
    func health(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try await platform.authenticate(apiKey: "health.check")
        return try JSONBody.response(StatusReply(status: "ok"))
    }
}

/// `POST /v1/orchestration-commands`, the request.
package struct CommandBody: Decodable, Sendable {
    /// A command in its text form.
    let command: String
    /// The address of the end user, as an application server that relays the command names it.
    let clientIP: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case command, clientIP
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        command = try fields.decode(String.self, forKey: .command)
        clientIP = try fields.decodeIfPresent(.clientIP, bytes: 64)
        guard clientIP.map(AddressNetworks.isAddress) ?? true else {
            throw fields.problem(.clientIP, "must be an IPv4 or IPv6 address")
        }
    }
}

/// `POST /v1/orchestration-commands`, the answer.
struct CommandReply: Encodable {
    /// A command in its text form.
    let command: String
}

/// The address by which the platform limits requests that prove no device.
enum ClientAddress {
    /// Returns the address of the caller.
    ///
    /// - Parameter isBehindProxy: Whether a proxy of the operator appends to `X-Forwarded-For`. Without a proxy, the
    ///   caller could write anything into the header, so it is not read.
    static func of(_ request: Request, _ context: ServerContext, isBehindProxy: Bool) -> String? {
        guard isBehindProxy, let header = request.headers[values: .forwardedFor].last,
            let last = header.split(separator: ",").last
        else { return context.peerAddress }
        let address = last.drop { $0 == " " }
        return address.utf8.count <= 64 ? String(address) : context.peerAddress
    }
}

extension HTTPFields.Element.Name {
    /// The header to which proxies append the address of their caller.
    static let forwardedFor: Self = {
        guard let name = Self("x-forwarded-for") else { preconditionFailure("x-forwarded-for is not a token") }
        return name
    }()
}
