internal import Hummingbird
internal import TrustedIdentity

/// Lets in who brings a valid API key: `Authorization: Bearer <key>`.
struct APIKeyMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let platform: Platform

    @concurrent
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let header = request.headers[.authorization], let key = Self.token(in: header),
            let scope = try await platform.authenticate(apiKey: key)
        else { throw APIError(.unauthorized) }
        var context = context
        context.scope = scope
        return try await next(request, context)
    }

    /// The token of a bearer header. The scheme's name is read in any case (RFC 9110 §11.1).
    private static func token(in header: String) -> String? {
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 256 else { return nil }
        return String(parts[1])
    }
}
