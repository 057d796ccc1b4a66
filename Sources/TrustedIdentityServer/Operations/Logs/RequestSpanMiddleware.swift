internal import Hummingbird
internal import Tracing

/// A middleware that creates a span for each request, with the tracer that the process has bootstrapped. Without one,
/// it does nothing.
///
/// The span continues the trace of the caller, as the tracer reads it from the headers. Its name and attributes follow
/// the OpenTelemetry semantic conventions for HTTP servers, without the path, the query and the addresses, because
/// these contain user names.
struct RequestSpanMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    @concurrent
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return try await next(request, context) }
        var parent = ServiceContext.current ?? .topLevel
        tracer.extract(request.headers, into: &parent, using: HeaderExtractor())
        return try await tracer.withAnySpan(request.method.rawValue, context: parent, ofKind: .server) { span in
            let response = try await next(request, context)
            // The route is known once a handler was found.
            if let route = context.endpointPath {
                span.operationName = "\(request.method.rawValue) \(route)"
                span.attributes["http.route"] = route
            }
            span.attributes["http.request.method"] = request.method.rawValue
            span.attributes["http.response.status_code"] = response.status.code
            span.attributes["correlation.id"] = response.headers[.logCorrelationID]
            if response.status.kind == .serverError { span.setStatus(.init(code: .error)) }
            return response
        }
    }
}

/// The headers of a request, from which a tracer reads the trace of the caller.
private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? {
        HTTPFields.Element.Name(key).flatMap { headers[$0] }
    }
}
