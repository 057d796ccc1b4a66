internal import Hummingbird
internal import Logging
internal import Metrics
internal import NIOCore
internal import Primitives
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The properties of a request besides its head and body.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The network address of the caller, without the port. A local socket has none.
    let peerAddress: String?
    /// The time in which the request is answered.
    let deadline = RequestDeadline()
    /// The id of this request in logs, errors and the header of the answer.
    var correlationID = ""
    /// The connection, for the certificate of its caller; nil for a caller in this process.
    let channel: (any Channel)?
    /// The caller, after its API key was checked.
    var principal: APIPrincipal?
    /// Whether the caller is the owner of the data folder, who needs no API key.
    var isOwner = false

    /// The scope of the caller; nil for an unauthenticated caller.
    var scope: APIKeyScope? { isOwner ? .administrator : principal?.scope }

    var maxUploadSize: Int { JSONBody.limit }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peerAddress = source.channel.remoteAddress?.ipAddress
    }

    /// Creates the context of a request in this process.
    init(logger: Logger) {
        coreContext = .init(source: ProcessSource(logger: logger))
        channel = nil
        peerAddress = nil
    }

    private struct ProcessSource: RequestContextSource {
        let logger: Logger
    }

    /// Returns whether the caller may name the accounts of a domain.
    func allows(domain: some StringProtocol) -> Bool { isOwner || principal?.allows(domain: domain) == true }
}

/// A middleware that gives each request its correlation id and turns errors into error bodies.
///
/// It comes before everything that can fail, because each answer must contain the id and each error must have the same
/// form.
struct CorrelationMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let random: any RandomSource
    let time: any TimeSource

    @concurrent
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.correlationID =
            request.headers[.logCorrelationID].flatMap { AuditOrigin.isSafe(correlationID: $0) ? $0 : nil } ?? made()
        context.logger[metadataKey: "correlation.id"] = .string(context.correlationID)
        if let parent = TraceParent(of: request) {
            context.logger[metadataKey: "trace.id"] = .string(parent.traceID)
            context.logger[metadataKey: "span.id"] = .string(parent.spanID)
        }
        var response: Response
        let progress = RequestProgress()
        do {
            // The platform logs with the same id.
            response = try await RequestProgress.$current.withValue(progress) {
                try await withLogger(context.logger) { _ in
                    try Router<ServerContext>.requireKnown(request)
                    // The request is about the server, not about a path (RFC 9110, section 9.3.7).
                    if request.method == .options, request.head.path == "*" {
                        return Response(status: .noContent, headers: [.allow: "DELETE, GET, HEAD, OPTIONS, POST"])
                    }
                    return try await next(request, context)
                }
            }
        } catch {
            let isLate = error is CancellationError && context.deadline.isPassed
            let refusal = isLate ? APIError(.requestTimeout) : APIError(any: error)
            // The platform has logged a failure of its store, which is a 503.
            if refusal.code.status == .internalServerError { context.logger.reportFailure(of: error) }
            let body = ErrorBody(refusal, correlationID: context.correlationID, at: time.now())
            response = try JSONBody.response(body, status: refusal.code.status)
            // Each 401 names a scheme (RFC 9110, section 15.5.2).
            if refusal.code.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
            if [.busy, .requestTimeout].contains(refusal.code) { response.headers[.retryAfter] = "5" }
            if (error as? PlatformError)?.isRetryableStoreFailure == true { response.headers[.retryAfter] = "1" }
            // The rest of the body would be read as the next request.
            if refusal.code == .bodyTimeout { response.headers[.connection] = "close" }
            response.headers[.allow] = refusal.allow
            // RFC 9110, section 15.5.16.
            if refusal.code == .unsupportedEncoding { response.headers[.acceptEncoding] = "identity" }
        }
        // The answer to HEAD has no content, even for an error (RFC 9110, section 9.3.2).
        if request.method == .head { response = response.createHeadResponse() }
        if progress.hasProvenCaller { OpenConnection.current?.prove() }
        response.headers[.logCorrelationID] = context.correlationID
        context.logger.debug("request answered", metadata: ["http.status": .stringConvertible(response.status.code)])
        return response
    }

    private func made() -> String { Hex.encode(random.bytes(16)) }
}

extension PlatformError {
    /// Whether the store refused the request for a temporary reason.
    fileprivate var isRetryableStoreFailure: Bool {
        code == .storeFailed && (underlying as? StoreError)?.isRetryable == true
    }
}

extension Logger {
    /// Logs the error of a request that failed in the platform or the server: its code and the place where it was
    /// created, or its type. The text of an unknown error could hold a secret; its type cannot.
    func reportFailure(of error: any Error) {
        var metadata: Logger.Metadata = [:]
        if let error = error as? PlatformError {
            metadata["error.code"] = "\(error.code)"
            metadata["error.location"] = "\(error.location)"
            metadata["error.type"] = error.underlying.map { "\(type(of: $0))" }
        } else {
            metadata["error.type"] = "\(type(of: error))"
        }
        self.error("request failed", metadata: metadata)
    }
}

extension HTTPFields.Element.Name {
    /// The header with the correlation id, of requests and of answers.
    static let logCorrelationID = constant("log-correlation-id")

    /// Returns the name of a header that is not among the predefined names.
    static func constant(_ text: StaticString) -> Self {
        guard let name = Self("\(text)") else { preconditionFailure("\(text) is not a token") }
        return name
    }
}

/// A middleware that requires a caller of one of several scopes: a valid API key, `Authorization: Bearer <key>`, or a
/// TLS client certificate that was allowed.
struct APIKeyMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let platform: Platform
    let configuration: ServerConfiguration
    let time: any TimeSource
    /// The scopes that are allowed.
    let scopes: Set<APIKeyScope>

    @concurrent
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.principal = try await principal(of: request, context)
        return try await next(request, context)
    }

    /// Returns the caller that the API key of a request authenticates. Without a key, the client certificate
    /// authenticates the caller.
    func principal(of request: Request, _ context: ServerContext) async throws -> APIPrincipal {
        guard let principal = try await authenticated(request, context) else { throw APIError(.unauthorized) }
        RequestProgress.current?.noteProof()
        guard scopes.contains(principal.scope) else { throw APIError(.forbidden) }
        return principal
    }

    private func authenticated(_ request: Request, _ context: ServerContext) async throws -> APIPrincipal? {
        if let header = request.headers[.authorization] {
            guard let key = Self.token(in: header) else { return nil }
            return try await platform.authenticate(apiKey: key)
        }
        guard let certificate = try await ClientCertificate.of(request, context, configuration) else { return nil }
        guard let principal = try await platform.authenticate(certificateHash: certificate.hash) else { return nil }
        guard certificate.isValid(at: time.now()) else {
            context.logger.notice(
                "the certificate of an application server is not valid at this time: renew it",
                metadata: ["api-key.id": "\(principal.id)"])
            return nil
        }
        return principal
    }

    /// Returns the token of a bearer header. The name of the scheme is not case-sensitive (RFC 9110, section 11.1).
    static func token(in header: String) -> String? {
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 256 else { return nil }
        return String(parts[1])
    }
}

/// A middleware that counts answers and measures their duration, by route and status.
///
/// The label is the template of a route, never a path, because paths contain user names and their number is unlimited.
struct RouteMetricsMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    @concurrent
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let labels = [
            ("route", context.endpointPath ?? "none"), ("status", String(response.status.code)),
        ]
        Counter(label: MetricCatalog.requests, dimensions: labels).increment()
        Timer(label: MetricCatalog.requestDuration, dimensions: labels)
            .recordNanoseconds(Self.nanoseconds(since: start))
        return response
    }

    private static func nanoseconds(since start: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
