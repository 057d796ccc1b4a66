internal import NIOCore
internal import NIOHTTP1

/// The rules of HTTP/1.1 messages that the libraries leave to a server: one `Host`, an answer to
/// `Expect: 100-continue`, and the end of connections that a request closes, or that are of HTTP/1.0
/// (RFC 9112, sections 3.2 and 9.3; RFC 9110, section 10.1.1).
final class MessageRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the answer to a request depends on.
    private struct Pending {
        /// Whether the request is one of HTTP/1.0.
        let isOld: Bool
        let closes: Bool
        /// Whether `100 Continue` has to be sent before the answer.
        var expectsContinue: Bool
    }

    /// The requests that were read and not answered.
    private var pending: [Pending] = []
    /// Whether the message that is read is the last one of the connection.
    private var isLast = false
    /// Whether the last message was read. Nothing after it is a request (RFC 9112, section 9.6).
    private var isOver = false
    /// Whether the last message asks for another protocol. The decoder keeps what comes after it, without a limit.
    private var isUpgrade = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): read(head, context)
        case .body: context.fireChannelRead(data)
        case .end:
            isOver = isLast
            context.fireChannelRead(data)
        }
    }

    func read(context: ChannelHandlerContext) {
        if !(isOver && isUpgrade) { context.read() }
    }

    private func read(_ original: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = original
        let (isOld, hosts) = (head.version.minor < 1, head.headers["host"])
        guard hosts.count == 1 || isOld && hosts.isEmpty else {
            isOver = true
            pending.append(Pending(isOld: isOld, closes: true, expectsContinue: false))
            // It is answered as a message that cannot be parsed: with 400, and the end of the connection.
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        let options = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        isUpgrade = head.headers.contains(name: "upgrade") || head.method == .CONNECT
        isLast = isOld || options.contains("close") || isUpgrade
        // The reader of requests compares with this spelling.
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        let expects =
            !isOld && head.headers["expect"].map { $0.lowercased() } == ["100-continue"]
            && !JSONBody.isTooLarge(contentLength: head.headers.first(name: "content-length"))
        pending.append(Pending(isOld: isOld, closes: isLast, expectsContinue: expects))
        if pending.count == 1 { sendContinue(context) }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            guard let answered = pending.first, answered.closes else { break }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            // HTTP/1.0 has no chunks: the end of the connection ends the content.
            if answered.isOld { head.version = .http1_0 }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end:
            context.write(data, promise: promise)
            if !pending.isEmpty { pending.removeFirst() }
            return sendContinue(context)
        }
        context.write(data, promise: promise)
    }

    /// Sends `100 Continue` for the request that is answered next, if it waits for that. An earlier answer comes first.
    private func sendContinue(_ context: ChannelHandlerContext) {
        guard pending.first?.expectsContinue == true else { return }
        pending[0].expectsContinue = false
        let answer = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
    }
}
