import Foundation
import Hummingbird
import Logging
import NIOCore

/// An HTTP server on a port of this machine with the answers of a test.
enum RogueServer {
    /// Serves while the body runs.
    static func serving(
        _ respond: @escaping @Sendable (Request) async throws -> Response,
        _ body: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in try await respond(request) }
        let application = Application(
            responder: responder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            },
            logger: Logger(label: "rogue") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await application.runService(gracefulShutdownSignals: []) }
            for await port in ports {
                guard let url = URL(string: "http://127.0.0.1:\(port)") else { continue }
                try await body(url)
            }
            group.cancelAll()
        }
    }

    /// Returns a response with a body.
    static func answer(_ status: HTTPResponse.Status, _ body: String) -> Response {
        Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}
