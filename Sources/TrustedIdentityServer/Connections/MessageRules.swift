internal import NIOCore
internal import NIOHTTP1

/// The rules of HTTP/1.1 messages that the libraries leave to a server: one `Host`, an answer to
/// `Expect: 100-continue`, and the end of connections that their caller closes or whose caller speaks HTTP/1.0
/// (RFC 9112, sections 3.2 and 9.3; RFC 9110, section 10.1.1).
final class MessageRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the answer to a request depends on.
    private struct Pending {
        /// Whether the caller speaks HTTP/1.0 or an earlier version.
        let isOld: Bool
        let closes: Bool
    }

    /// The requests that were read and not answered.
    private var pending: [Pending] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = head.version.major < 1 || head.version.major == 1 && head.version.minor < 1
        let hosts = head.headers["host"]
        guard hosts.count == 1 || isOld && hosts.isEmpty else {
            pending.append(Pending(isOld: isOld, closes: true))
            // It is answered as a message that cannot be parsed: with 400, and the end of the connection.
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        let options = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        let closes = isOld || options.contains("close")
        pending.append(Pending(isOld: isOld, closes: closes))
        // The reader of requests compares with this spelling.
        if closes { head.headers.replaceOrAdd(name: "connection", value: "close") }
        if !isOld, head.headers["expect"].map({ $0.lowercased() }) == ["100-continue"], !isTooLarge(head.headers) {
            let answer = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            guard let answered = pending.first, answered.closes else { break }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            // A reader of HTTP/1.0 knows no chunks: the end of the connection ends the content.
            if answered.isOld { head.version = .http1_0 }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end: if !pending.isEmpty { pending.removeFirst() }
        }
        context.write(data, promise: promise)
    }

    /// Whether a request says that its content is too large, so that it is refused before it is sent.
    private func isTooLarge(_ headers: HTTPHeaders) -> Bool {
        headers.first(name: "content-length").flatMap { Int($0) }.map { $0 > JSONBody.limit } ?? false
    }
}
