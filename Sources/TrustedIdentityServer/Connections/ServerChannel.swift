internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// The handlers of a connection, if the limits allow it: TLS, if the server has a certificate, and HTTP/1.1 over it.
struct ServerChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let http: HTTP1Channel
    let certificate: ServerCertificate?
    let count: ConnectionCount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let address = channel.remoteAddress?.ipAddress
        guard count.begin(address) else {
            logger.debug("a connection was closed: there are too many")
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.inappropriateOperationForState)
        }
        channel.closeFuture.whenComplete { [count] _ in count.end(address) }
        return channel.eventLoop.makeCompletedFuture {
            if let certificate { try channel.pipeline.syncOperations.addHandler(certificate.handler()) }
        }.flatMap {
            http.setup(channel: channel, logger: logger)
        }
    }

    @concurrent
    func handle(value: Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
