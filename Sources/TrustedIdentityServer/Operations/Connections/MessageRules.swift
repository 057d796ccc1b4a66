internal import NIOCore
internal import NIOHTTP1

/// The rules of HTTP/1.1 messages that the libraries leave to a server: one `Host`, a body whose end can be found, an
/// answer to `Expect: 100-continue`, the end of connections that a request closes, or that are of HTTP/1.0, and one
/// answer with the right status to a message that cannot be parsed (RFC 9112, sections 3.2, 6.3 and 9.3; RFC 9110,
/// sections 9.1, 10.1.1 and 15.6.6; RFC 6585, section 5).
final class MessageRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The properties of a request that determine the form of its answer.
    private struct Pending {
        /// Whether the request uses HTTP/1.0.
        let isOld: Bool
        let closes: Bool
        /// Whether `100 Continue` must be sent before the answer.
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
    /// Whether the head of a message was read, but not its end.
    private var isReading = false
    /// The status for a message that cannot be parsed; `nil` for the one that the reader of requests sends.
    private var refusal: HTTPResponseStatus?
    /// Whether an answer is dropped: the one about a body that cannot be parsed, after its request was answered.
    private var isDropping = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? HTTPParserError {
        case .headerOverflow?: refusal = .requestHeaderFieldsTooLarge
        case .invalidMethod?: refusal = .notImplemented
        case .invalidVersion?: refusal = .httpVersionNotSupported
        default: break
        }
        context.fireErrorCaught(error)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): read(head, context)
        case .body: context.fireChannelRead(data)
        case .end:
            isReading = false
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
        // A body whose last coding is not `chunked` has no end, and what follows must not be read as a request.
        let hasEnd = head.headers[canonicalForm: "transfer-encoding"].last.map { $0.lowercased() == "chunked" } ?? true
        guard hasEnd, hosts.count == 1 || isOld && hosts.isEmpty else {
            isOver = true
            pending.append(Pending(isOld: isOld, closes: true, expectsContinue: false))
            // It is answered as a message that cannot be parsed: with 400, and the end of the connection.
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        let options = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        isUpgrade = head.headers.contains(name: "upgrade") || head.method == .CONNECT
        let waits = !isOld && head.headers["expect"].map { $0.lowercased() } == ["100-continue"]
        let isTooLarge = JSONBody.isTooLarge(contentLength: head.headers.first(name: "content-length"))
        // A caller that waits and is refused may leave out the body: the next bytes would be read as the body.
        isLast = isOld || options.contains("close") || isUpgrade || waits && isTooLarge
        // The reader of requests compares with this spelling.
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        isReading = true
        pending.append(Pending(isOld: isOld, closes: isLast, expectsContinue: waits && !isTooLarge))
        if pending.count == 1 { sendContinue(context) }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where pending.isEmpty:
            // This is the answer to a message that could not be parsed. A message whose head was read already has its
            // answer.
            isDropping = isReading
            guard !isDropping, let refusal else { break }
            head.status = refusal
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head(var head):
            guard let answered = pending.first, answered.closes else { break }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            // HTTP/1.0 has no chunks: the end of the connection ends the content.
            if answered.isOld { head.version = .http1_0 }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end where isDropping: break
        case .end:
            context.write(data, promise: promise)
            if !pending.isEmpty { pending.removeFirst() }
            return sendContinue(context)
        }
        if isDropping { promise?.succeed() } else { context.write(data, promise: promise) }
    }

    /// Sends `100 Continue` for the request that is answered next, if it waits for that. Previous answers come first.
    private func sendContinue(_ context: ChannelHandlerContext) {
        guard pending.first?.expectsContinue == true else { return }
        pending[0].expectsContinue = false
        let answer = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
    }
}
