internal import Hummingbird
internal import TrustedIdentity
internal import Wire

extension Handlers {
    /// `POST /v1/orchestration-commands`: no API key, because commands protect themselves.
    ///
    /// The platform limits requests by the device that a command proves, or by the address when it proves none.
    func command(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decode(CommandBody.self, from: request)
        let command: OrchestrationCommand
        do {
            command = try OrchestrationCommand(text: body.command)
        } catch {
            throw APIError(.undecodableCommand)
        }
        let address = ClientAddress.of(request, context, isBehindProxy: configuration.isBehindProxy)
        let answer = try await platform.execute(command, from: address ?? "local")
        return try JSONBody.response(CommandBody(command: answer.text))
    }

    /// `GET /health`: whether this process answers and its store can be read.
    func health(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try await platform.authenticate(apiKey: "health.check")
        return try JSONBody.response(StatusReply(status: "ok"))
    }
}

/// `POST /v1/orchestration-commands`, request and answer.
package struct CommandBody: Codable, Sendable {
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
        else { return context.peerAddress.map(group) }
        let address = last.drop { $0 == " " }
        return address.utf8.count <= 64 ? group(String(address)) : context.peerAddress.map(group)
    }

    /// Returns an IPv4 address as it is, and the network part (64 bits) of an IPv6 address, because one host has all
    /// addresses of its network.
    static func group(_ address: String) -> String {
        guard address.contains(":") else { return address }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        // An IPv4 address that is mapped into IPv6 (::ffff:192.0.2.1).
        if let last = parts.last, last.contains(".") { return String(last) }
        guard let gap = address.firstRange(of: "::") else { return parts.prefix(4).joined(separator: ":") }
        let head = address[..<gap.lowerBound].split(separator: ":")
        let tail = address[gap.upperBound...].split(separator: ":")
        let zeros = [Substring](repeating: "0", count: max(0, 8 - head.count - tail.count))
        return (head + zeros + tail).prefix(4).joined(separator: ":")
    }
}

extension HTTPFields.Element.Name {
    /// The header to which proxies append the address of their caller.
    static let forwardedFor: Self = {
        guard let name = Self("x-forwarded-for") else { preconditionFailure("x-forwarded-for is not a token") }
        return name
    }()
}
