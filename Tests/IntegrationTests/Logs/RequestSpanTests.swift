import Foundation
import InMemoryTracing
import Testing
import Tracing
import TrustedIdentity

@testable import TrustedIdentityServer

/// The spans of requests.
@Suite struct RequestSpanTests {
    @Test func `a request has a span with its route, in the trace of its caller and without the name of the user`()
        async throws
    {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestServer.run { server in
                let headers = [
                    InMemoryTracer.traceIDKey: "trace-7", InMemoryTracer.spanIDKey: "span-9",
                    "log-correlation-id": "c-1", "Authorization": "Bearer \(server.applicationKey)",
                ]
                _ = try await server.send("GET", "/v1/users/alice", headers: headers)
                _ = try await server.send("GET", "/health/live")
            }
        }
        let span = try #require(tracer.finishedSpans.first { $0.operationName.contains("users") })
        #expect(span.operationName == "GET /v1/users/{user}" && span.kind == .server)
        #expect(span.traceID == "trace-7" && span.parentSpanID == "span-9")
        var attributes: [String: String] = [:]
        span.attributes.forEach { attributes[$0] = "\($1)" }
        #expect(attributes["http.route"]?.contains("/v1/users/{user}") == true)
        #expect(attributes["http.response.status_code"]?.contains("404") == true)
        #expect(attributes["correlation.id"]?.contains("c-1") == true)
        #expect(!attributes.values.contains { $0.contains("alice") })
        let other = try #require(tracer.finishedSpans.first { $0.operationName.contains("health") })
        #expect(other.parentSpanID == nil)
    }
}
