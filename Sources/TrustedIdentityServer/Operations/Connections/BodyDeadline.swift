internal import NIOCore
internal import NIOHTTPTypes

/// A handler that ends the body of a request that does not arrive in time.
///
/// Each byte of a body restarts the idle timeout, which means a byte a minute would hold a connection for weeks.
final class BodyDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// The error that the reader of the body gets.
    struct Passed: Error {}

    private let timeout: TimeAmount
    private var isReading = false
    private var deadline: Scheduled<Void>?

    init(_ timeout: Duration) { self.timeout = TimeAmount(timeout) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isReading = true
        case .body: break
        case .end:
            isReading = false
            cancel()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most bodies arrive with their headers and need no timer.
        if isReading, deadline == nil {
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
                self.deadline = nil
                context.fireErrorCaught(Passed())
            }
        }
        context.fireChannelReadComplete()
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
