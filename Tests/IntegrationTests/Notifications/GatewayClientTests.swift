import InMemoryTracing
import Primitives
import Testing
import Tracing

@testable import TrustedIdentityNotifications

/// The HTTP client of the gateways, against a service on this machine.
@Suite struct GatewayClientTests {
    typealias Answer = PushService.Answer

    @Test func `a request is in no span, and names no trace`() async throws {
        let tracer = InMemoryTracer()
        try await PushService.serving { _ in
            Answer()
        } _: { service in
            try await withTracer(tracer) {
                try await PushService.withClient { client in
                    try await withSpan("delivery") { _ in
                        let answer = try await client.post([1], to: service.origin + "/canary", headers: [])
                        #expect(answer.status == 200)
                    }
                }
            }
            let headers = try #require(service.requests.first?.headers)
            #expect(headers[InMemoryTracer.traceIDKey] == nil && headers[InMemoryTracer.spanIDKey] == nil)
        }
        #expect(tracer.finishedSpans.map(\.operationName) == ["delivery"])
    }
}
