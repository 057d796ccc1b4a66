internal import NIOCore
internal import NIOHTTPTypes

/// A handler that closes a connection whose caller does not read its answers.
///
/// The idle timeout does not count while a request is answered. Without this handler, a caller that never reads would
/// hold its connection for as long as its system acknowledges that the connection exists.
///
/// The time begins when more data waits to be sent than a connection buffers, and ends when half of it was sent.
final class AnswerDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?

    init(_ timeout: Duration) { self.timeout = TimeAmount(timeout) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            cancel()
        } else if deadline == nil {
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
                self.deadline = nil
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func cancel() {
        deadline?.cancel()
        deadline = nil
    }
}
