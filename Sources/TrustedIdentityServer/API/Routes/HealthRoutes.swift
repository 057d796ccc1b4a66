internal import Hummingbird
internal import TrustedIdentity

extension Handlers {
    /// `GET /health`
    func health(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try await platform.authenticate(apiKey: "health.check")
        return try JSONBody.response(StatusReply(status: "ok"))
    }

    /// `GET /health/live`: whether the process answers. It reads nothing.
    func live(_ request: Request, _ context: ServerContext) async throws -> Response {
        try JSONBody.response(StatusReply(status: "ok"))
    }

    /// `GET /health/ready`: whether to send requests here. `GET /v1/readiness` of administration returns the reasons.
    func ready(_ request: Request, _ context: ServerContext) async throws -> Response {
        let readiness = try await readiness.latest()
        return try JSONBody.response(
            StatusReply(status: readiness.status), status: readiness.isReady ? .ok : .serviceUnavailable)
    }
}
