import InMemoryTracing
import Primitives
import Synchronization
import Testing
import Tracing

@testable import TrustedIdentity
@testable import TrustedIdentityServer

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

    @Test func `as many requests as deliveries run at the same time over HTTP 1`() async throws {
        let count = Platform.concurrentDeliveries
        let arrived = Mutex(0)
        let (release, released) = AsyncStream.makeStream(of: Void.self)
        try await PushService.serving(.http1) { _ in
            arrived.withLock { $0 += 1 }
            for await _ in release {}
            return Answer()
        } _: { service in
            try await PushService.withClient { client in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<count {
                        group.addTask { try await client.post([1], to: service.origin, headers: []).status }
                    }
                    try await Patience.wait(for: "all requests") { arrived.withLock { $0 == count } }
                    released.finish()
                    for try await status in group { #expect(status == 200) }
                }
            }
            #expect(service.connectionCount == count)
        }
    }

    @Test(arguments: [PushService.Language.http1, .http2])
    func `a connection takes further requests after an answer whose body comes later`(
        language: PushService.Language
    ) async throws {
        try await PushService.serving(language) { _ in
            Answer(body: "late", pause: .milliseconds(50))
        } _: { service in
            try await PushService.withClient { client in
                for _ in 0..<3 {
                    let answer = try await client.post([1], to: service.origin, headers: [])
                    #expect(answer.status == 200 && answer.body == [])
                }
            }
            #expect(service.connectionCount == 1 && service.resetCount == 0)
        }
    }
}
