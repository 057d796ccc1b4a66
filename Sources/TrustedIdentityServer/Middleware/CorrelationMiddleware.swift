internal import Hummingbird
internal import Logging
internal import Primitives
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Gives each request its correlation id, and turns every error into the error body of the REST API.
///
/// It stands outermost, so that no answer leaves without the id and no error leaves in another form.
struct CorrelationMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let random: any RandomSource
    let time: any TimeSource

    @concurrent
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.correlationID = request.headers[.logCorrelationID].flatMap(Self.accepted) ?? made()
        context.logger[metadataKey: "correlation.id"] = .string(context.correlationID)
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            let refusal = APIError(any: error)
            if refusal.code == .internal {
                // The type says what failed; the text of an unknown error could hold anything.
                context.logger.error("Request failed", metadata: ["error.type": "\(type(of: error))"])
            }
            let body = ErrorBody(refusal, correlationID: context.correlationID, at: time.now())
            response = try JSONBody.response(body, status: refusal.code.status)
            if refusal.code == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
            if refusal.code == .busy { response.headers[.retryAfter] = "5" }
        }
        response.headers[.logCorrelationID] = context.correlationID
        context.logger.debug("Answered", metadata: ["http.status": .stringConvertible(response.status.code)])
        return response
    }

    /// A caller's id is taken when it can stand in a header and a log line as it is.
    private static func accepted(_ id: String) -> String? {
        let isPlain = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain && (1...64).contains(id.utf8.count) ? id : nil
    }

    private func made() -> String { Hex.encode(random.bytes(16)) }
}

extension HTTPFields.Element.Name {
    /// The header that carries the correlation id in both directions.
    static let logCorrelationID: Self = {
        guard let name = Self("log-correlation-id") else { preconditionFailure("log-correlation-id is no token") }
        return name
    }()
}
