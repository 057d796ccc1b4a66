internal import Hummingbird
internal import Metrics

/// Counts answers by route and status, and measures how long they took.
///
/// Only the template of a route is a label, never a path: paths hold names, and there is no end of them.
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
        Counter(label: "trusted_identity.http.answers", dimensions: labels).increment()
        Timer(label: "trusted_identity.http.duration", dimensions: labels)
            .recordNanoseconds(Self.nanoseconds(since: start))
        return response
    }

    private static func nanoseconds(since start: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
