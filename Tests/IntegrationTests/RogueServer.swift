import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Testing

/// An HTTP server on a port of this machine with the answers of a test.
enum RogueServer {
    /// Serves while the body runs.
    static func serving(
        _ respond: @escaping @Sendable (Request) async throws -> Response,
        _ body: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        // An answer that waits ends with the server.
        let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
            try await cancelWhenGracefulShutdown { try await respond(request) }
        }
        let logger = Logger(label: "rogue") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: responder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            },
            logger: logger)
        // A canceled server drops the connections that it has accepted and not begun to serve, and SwiftNIO ends the
        // process for each of them. A graceful shutdown closes the listener first. What it serves then, such as a body
        // without an end, is canceled later.
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: configuration)
        let running = Task {
            // A server that cannot listen ends the wait, too.
            defer { port.finish() }
            try await group.run()
        }
        let served: Result<Void, any Error> = await Result {
            for await port in ports {
                return try await body(try #require(URL(string: "http://127.0.0.1:\(port)")))
            }
            try await running.value
        }
        await group.triggerGracefulShutdown()
        _ = await running.result
        try served.get()
    }

    /// Returns a response with a body.
    static func answer(_ status: HTTPResponse.Status, _ body: String) -> Response {
        Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}
