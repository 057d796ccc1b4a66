internal import NIOCore
internal import NIOHTTPTypes

/// A handler that notes when the work on the requests of a connection begins and ends.
///
/// The work begins with the end of a request, because a caller that sends a request slowly must not keep its place that
/// way. It ends with the end of the answer.
final class IdleState: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connection: OpenConnection
    /// The requests without an answer; below 0 when an answer ended before its request.
    private var requests = 0

    init(_ connection: OpenConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { count(1) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { count(-1) }
        context.write(data, promise: promise)
    }

    private func count(_ change: Int) {
        requests += change
        connection.setIdle(since: requests > 0 ? nil : .now)
    }
}

extension UInt64 {
    /// The current moment of a connection, on a monotonic clock.
    static var now: UInt64 { NIODeadline.now().uptimeNanoseconds }
}
