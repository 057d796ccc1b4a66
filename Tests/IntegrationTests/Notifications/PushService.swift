import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import TrustedIdentityServer

/// A push service over TLS on a port of this machine, with the answers of a test.
///
/// Its certificate is `Tests/Vectors/tls/server.pem`, for `localhost`.
struct PushService: Sendable {
    /// What the service speaks after the handshake of TLS.
    enum Language: Sendable {
        case http2
        case http1
        /// HTTP/2 over TLS 1.1.
        case http2OverEarlyTLS
        /// HTTP/1.1, without a choice of a protocol.
        case http1Unnamed
        /// Bytes that are no HTTP.
        case rubbish
        /// Nothing, not even TLS.
        case nothing
    }

    /// A request.
    struct Received: Sendable {
        /// The number of the connection, from 1.
        let connection: Int
        let isHTTP2: Bool
        let path: String
        let headers: [String: String]
        let body: [UInt8]
    }

    /// An answer.
    struct Answer: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = ""
        /// Whether the service closes the connection for further requests with a GOAWAY frame.
        var goesAway = false
        /// Whether the answer never ends.
        var isEndless = false
        /// The time between the head and the rest.
        var pause: Duration?
    }

    /// The address: `https://localhost:PORT`.
    let origin: String
    private let received: Recorder<Received>
    private let opened: Recorder<Int>
    private let reset: Recorder<Int>

    /// The requests, in the order of their arrival.
    var requests: [Received] { received.all }
    /// The number of connections that have been opened.
    var connectionCount: Int { opened.all.count }
    /// The number of streams of HTTP/2 that the client has reset.
    var resetCount: Int { reset.all.count }

    /// The certificate of the service.
    static var certificate: String { TLSClient.path("server.pem") }

    /// Serves while the body runs.
    ///
    /// - Parameters:
    ///   - language: What the service speaks.
    ///   - respond: Answers a request. The answer is sent when it returns.
    static func serving(
        _ language: Language = .http2, _ respond: @escaping @Sendable (Received) async throws -> Answer,
        _ body: @Sendable (PushService) async throws -> Void
    ) async throws {
        let (received, opened, reset) = (Recorder<Received>(), Recorder<Int>(), Recorder<Int>())
        let tls = try context(language)
        let respond: @Sendable (Received) async throws -> Answer = {
            received.append($0)
            return try await respond($0)
        }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                opened.append(1)
                let connection = opened.all.count
                guard language != .nothing else { return channel.eventLoop.makeSucceededVoidFuture() }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                }.flatMap { speak(language, on: channel, connection: connection, reset, respond) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = listener.localAddress?.port ?? 0
        let result = await Result {
            try await body(
                PushService(origin: "https://localhost:\(port)", received: received, opened: opened, reset: reset))
        }
        try await listener.close()
        try result.get()
    }

    /// Runs a closure with a client that trusts the service, and closes its connections.
    ///
    /// - Parameters:
    ///   - certificate: The path of the certificate that the client trusts.
    ///   - connectTimeout: The time for a connection. The client waits for one that is not established when it ends.
    ///   - timeout: The time for an answer.
    static func withClient<R: Sendable>(
        trusting certificate: String = PushService.certificate, connectTimeout: Duration = .seconds(600),
        timeout: Duration = .seconds(600), _ body: (GatewayClient) async throws -> R
    ) async throws -> R {
        let client = try GatewayClient(connectTimeout: connectTimeout, timeout: timeout, trusting: certificate)
        let result = await Result { try await body(client) }
        await client.shutdown()
        return try result.get()
    }

    private init(origin: String, received: Recorder<Received>, opened: Recorder<Int>, reset: Recorder<Int>) {
        self.origin = origin
        self.received = received
        self.opened = opened
        self.reset = reset
    }

    private static func context(_ language: Language) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: TLSClient.path("server.key"), format: .pem)))
        tls.applicationProtocols =
            switch language {
            case .http2, .http2OverEarlyTLS, .rubbish: ["h2"]
            case .http1: ["http/1.1"]
            case .http1Unnamed, .nothing: []
            }
        if language == .http2OverEarlyTLS {
            tls.minimumTLSVersion = .tlsv1
            tls.maximumTLSVersion = .tlsv11
        }
        return try NIOSSLContext(configuration: tls)
    }

    private static func speak(
        _ language: Language, on channel: any Channel, connection: Int, _ reset: Recorder<Int>,
        _ respond: @escaping @Sendable (Received) async throws -> Answer
    ) -> EventLoopFuture<Void> {
        switch language {
        case .http2, .http2OverEarlyTLS:
            return channel.configureHTTP2Pipeline(mode: .server) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                    try stream.pipeline.syncOperations.addHandler(
                        RequestHandler(connection: connection, reset, respond))
                }
            }.map { _ in }
        case .http1, .http1Unnamed:
            return channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                try channel.pipeline.syncOperations.addHandler(RequestHandler(connection: connection, reset, respond))
            }
        case .nothing: return channel.eventLoop.makeSucceededVoidFuture()
        case .rubbish:
            return channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(RubbishHandler())
            }
        }
    }
}

/// Collects a request and sends the answer.
private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: Int
    private let reset: Recorder<Int>
    private let respond: @Sendable (PushService.Received) async throws -> PushService.Answer
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(
        connection: Int, _ reset: Recorder<Int>,
        _ respond: @escaping @Sendable (PushService.Received) async throws -> PushService.Answer
    ) {
        self.connection = connection
        self.reset = reset
        self.respond = respond
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let closed = event as? StreamClosedEvent, closed.reason != nil { reset.append(connection) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let chunk): body += chunk.readableBytesView
        case .end:
            guard let head else { return }
            var headers: [String: String] = [:]
            for (name, value) in head.headers { headers[name.lowercased()] = value }
            let request = PushService.Received(
                connection: connection, isHTTP2: head.version.major == 2, path: head.uri, headers: headers, body: body)
            self.head = nil
            body = []
            let (channel, respond) = (context.channel, respond)
            Task {
                guard let answer = try? await respond(request) else { return channel.close(promise: nil) }
                var fields = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
                fields.add(name: "content-length", value: "\(answer.body.utf8.count + (answer.isEndless ? 1 : 0))")
                channel.write(
                    HTTPServerResponsePart.head(
                        .init(version: head.version, status: .init(statusCode: answer.status), headers: fields)),
                    promise: nil)
                if let pause = answer.pause {
                    channel.flush()
                    try? await Task.sleep(for: pause)
                }
                if !answer.body.isEmpty {
                    channel.write(
                        HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: answer.body))), promise: nil)
                }
                // Before the end of the answer, so that the client has it when the delivery is over.
                if answer.goesAway {
                    let frame = HTTP2Frame(
                        streamID: .rootStream,
                        payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
                    channel.parent?.writeAndFlush(frame, promise: nil)
                }
                guard !answer.isEndless else { return channel.flush() }
                channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
            }
        }
    }
}

/// Sends bytes that are no HTTP, and closes the connection.
private final class RubbishHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 0xA5, count: 1_024)), promise: nil)
        context.close(promise: nil)
    }
}

/// Values that tasks have recorded, in their order.
final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func append(_ value: Value) { values.withLock { $0.append(value) } }
}
