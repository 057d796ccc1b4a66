internal import Hummingbird
internal import TrustedIdentity
internal import Wire

extension Handlers {
    /// `POST /v1/orchestration-commands`: no API key, for a command protects itself.
    ///
    /// The platform counts by the device that a command proves, and by this address when it proves none.
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
