internal import Hummingbird
internal import OrchestrationProtocol
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/orchestration-commands`, also under the name `orchestration-commands-v2` of newer clients. No API key
    /// is necessary, because commands protect themselves.
    ///
    /// The platform limits requests by the device that a command proves, or by the address when it proves none. An
    /// application server that relays commands sends its API key and the address of the end user. This way, one end
    /// user cannot use up the limit of all others. Without a key, `clientIP` is ignored, because a caller can send any
    /// address.
    func command(_ request: Request, _ context: ServerContext) async throws -> Response {
        var isRelayed = request.headers[.authorization] != nil
        if !isRelayed { isRelayed = try await ClientCertificate.of(request, context, configuration) != nil }
        if isRelayed { _ = try await keys([.applicationServer, .administrator]).principal(of: request, context) }
        let text: String
        var endUser: String?
        if isRelayed {
            let body = try await JSONBody.decode(RelayedCommandBody.self, from: request)
            (text, endUser) = (body.command, body.clientIP)
        } else {
            text = try await JSONBody.decode(CommandBody.self, from: request).command
        }
        let command: OrchestrationCommand
        do {
            command = try OrchestrationCommand(text: text)
        } catch {
            throw APIError(.undecodableCommand)
        }
        let sender = ClientAddress.of(request, context, configuration.proxies)
        // A caller with an API key is a relay. Its commands come from a device, or from an unknown sender until a
        // device is proven.
        let platform = self.platform(for: request, context, endUser: endUser)
        let answer = try await platform.execute(command, from: endUser ?? sender ?? "local")
        return try JSONBody.response(CommandReply(command: answer.text))
    }
}

/// `POST /v1/orchestration-commands`, the request without an API key.
struct CommandBody: Decodable, Sendable {
    /// A command in its text form.
    let command: String
}

/// `POST /v1/orchestration-commands`, the request with an API key.
package struct RelayedCommandBody: Decodable, Sendable {
    /// A command in its text form.
    let command: String
    /// The IP address of the end user.
    let clientIP: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case command, clientIP
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        command = try fields.decode(String.self, forKey: .command)
        clientIP = try fields.decodeIfPresent(.clientIP, bytes: 64)
        guard clientIP.map(AddressNetwork.isAddress) ?? true else {
            throw fields.problem(.clientIP, "must be an IPv4 or IPv6 address")
        }
    }
}

/// `POST /v1/orchestration-commands`, the answer.
struct CommandReply: Encodable {
    /// A command in its text form.
    let command: String
}
