import Foundation
import Hummingbird
import NIOCore
import Orchestration
import OrchestrationHTTP
import OrchestrationProtocol
import OrchestrationTesting
import Synchronization
import Testing

/// The limit of an exchange, for a machine on which many tests run at once.
private let patience = Duration.seconds(600)

/// Streams of notifications over HTTP.
@Suite struct HTTPNotificationTests {
    /// The platform's end of one stream.
    private final class Source: Sendable {
        let chunks: AsyncStream<String>
        let continuation: AsyncStream<String>.Continuation
        let requests = Mutex<[HTTPRequest]>([])

        private let count = Mutex<UInt8>(0)

        init() { (chunks, continuation) = AsyncStream.makeStream() }

        /// Sends a new pointer as an event.
        func sendPointer() -> NotificationStream.Signal {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let pointer = ApprovalPointer(tenant: "default", id: [UInt8](repeating: number, count: 16)).command
            continuation.yield("event: approval\nid: \(number)\ndata: \(pointer.text)\n\n")
            return .pointer(pointer, eventID: "\(number)")
        }

        func respond(_ request: Request) -> Response {
            requests.withLock { $0.append(request.head) }
            let chunks = chunks
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    for await chunk in chunks { try await writer.write(ByteBuffer(string: chunk)) }
                    try await writer.finish(nil)
                })
        }
    }

    @Test(arguments: NotificationTransportConformance.checks)
    func `streams over HTTP keep the contract`(_ check: ConformanceCheck<NotificationTransportSubject>) async throws {
        let source = Source()
        try await RogueServer.serving({ request in
            guard request.headers[.authorization] == "Bearer token" else {
                return RogueServer.answer(.unauthorized, "{}")
            }
            return source.respond(request)
        }) { url in
            let transport = try HTTPTransport(endpoint: url, timeout: patience)
            try await check.run(
                NotificationTransportSubject(
                    transport: transport, refusing: transport,
                    stream: { NotificationStream(channel: "pull:0a", token: "token") },
                    request: { source.sendPointer() },
                    beat: { source.continuation.yield(": heartbeat\n\n") }, end: { source.continuation.finish() }))
            source.continuation.finish()
        }
    }

    @Test func `the request names channel, token and last event, and nothing that is not understood is a pointer`()
        async throws
    {
        let source = Source()
        try await RogueServer.serving({ source.respond($0) }) { url in
            let transport = try HTTPTransport(endpoint: url, timeout: patience)
            let connection = try await transport.open(
                NotificationStream(channel: "pull:0a/../x", token: "token", lastEventID: "0a"))
            source.continuation.yield("event: approval\ndata: no command\n\nevent: other\ndata: gQE\n\n")
            source.continuation.finish()
            let signals = [try await connection.next(), try await connection.next(), try await connection.next()]
            #expect(signals == [.heartbeat, .heartbeat, nil])
            let request = try #require(source.requests.withLock(\.self).first)
            #expect(request.path == "/v1/notifications/pull%3A0a%2F%2E%2E%2Fx")
            #expect(request.headerFields[.authorization] == "Bearer token")
            #expect(request.headerFields.first { $0.name.canonicalName == "last-event-id" }?.value == "0a")
            #expect(request.headerFields[.accept] == "text/event-stream")
        }
    }

    @Test(arguments: [
        (HTTPResponse.Status.ok, "text/html", "notAStream"), (.unauthorized, "text/event-stream", "status(401)"),
        (.found, "text/event-stream", "status(302)"),
    ])
    func `another answer opens no stream`(
        status: HTTPResponse.Status, type: String, code: String
    ) async throws {
        try await RogueServer.serving({ _ in
            Response(status: status, headers: [.contentType: type, .location: "/"])
        }) { url in
            let error = await #expect(throws: OrchestrationError.self) {
                _ = try await HTTPTransport(endpoint: url, timeout: patience).open(
                    NotificationStream(channel: "pull:0a", token: "token"))
            }
            #expect(error?.code == .transport)
            #expect((error?.underlying as? HTTPFailure)?.code.description == code)
        }
    }

    @Test func `many streams of a process are open side by side, and leave connections for commands`() async throws {
        let source = Source()
        try await RogueServer.serving({ request in
            request.uri.path.hasPrefix("/v1/notifications/")
                ? source.respond(request) : RogueServer.answer(.serviceUnavailable, "{}")
        }) { url in
            let transport = try HTTPTransport(endpoint: url, timeout: patience)
            var connections: [any NotificationConnection] = []
            for number in 0..<20 {
                let stream = NotificationStream(channel: "pull:\(number)", token: "token")
                connections.append(try await transport.open(stream))
            }
            let error = await #expect(throws: OrchestrationError.self) {
                _ = try await transport.send(OrchestrationCommand(bytes: [0x80]))
            }
            #expect((error?.underlying as? HTTPFailure)?.code.description.hasPrefix("status(503") == true)
            #expect(connections.count == 20)
            source.continuation.finish()
        }
    }

    @Test func `a line without end ends the stream`() async throws {
        let source = Source()
        try await RogueServer.serving({ source.respond($0) }) { url in
            let connection = try await HTTPTransport(endpoint: url, timeout: patience).open(
                NotificationStream(channel: "pull:0a", token: "token"))
            source.continuation.yield(String(repeating: "x", count: 2_000))
            source.continuation.finish()
            await #expect(throws: HTTPFailure.self) { _ = try await connection.next() }
        }
    }
}
