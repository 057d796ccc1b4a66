internal import Hummingbird
internal import NIOCore
internal import Primitives
internal import ServiceLifecycle
internal import TrustedIdentity

extension Handlers {
    /// `GET /v1/notifications/{channel}`: Server-Sent Events (WHATWG HTML, section 9.2).
    ///
    /// The token in `Authorization: Bearer` opens the stream, and nothing else. The stream ends when the caller closes
    /// the connection, and when the server stops.
    func notifications(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let segment = context.parameters.get("channel"), let channel = Self.decoded(segment),
            let header = request.headers[.authorization], let text = APIKeyMiddleware.token(in: header),
            let token = try? Base64URL.decode(text)
        else { throw APIError(.invalidStreamToken) }
        let address = ClientAddress.of(request, context, configuration.proxies) ?? "local"
        let lastID = request.headers[.lastEventID].flatMap { try? Hex.decode($0) }
        let events = try await platform.notifications(channel: channel, token: token, after: lastID, from: address)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // The first bytes show the caller that the stream is open.
                try await writer.write(ByteBuffer(string: ": open\n\n"))
                for try await event in events.cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(string: Self.text(of: event)))
                }
                try await writer.finish(nil)
            })
    }

    private static func text(of event: NotificationEvent) -> String {
        switch event {
        case .approval(let id, let pointer): "id: \(Hex.encode(id))\nevent: approval\ndata: \(pointer.text)\n\n"
        case .heartbeat: ": heartbeat\n\n"
        }
    }
}

extension HTTPFields.Element.Name {
    /// The header with the id of the last event that the caller has received.
    fileprivate static let lastEventID = constant("Last-Event-ID")
}
