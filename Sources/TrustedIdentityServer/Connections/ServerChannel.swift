internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// The handlers of a connection, if the limits allow it: TLS, if the server has a certificate, and HTTP/1.1 over it.
struct ServerChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let http: HTTP1Channel
    let certificate: ServerCertificate?
    let count: ConnectionCount

    /// The error of a connection beyond the limits.
    private struct TooManyConnections: Error {}

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let address = channel.remoteAddress?.ipAddress
        let isCounted = count.begin(address)
        if isCounted { channel.closeFuture.whenComplete { [count] _ in count.end(address) } }
        let value = channel.eventLoop.makeCompletedFuture {
            guard isCounted else { throw TooManyConnections() }
            if let certificate { try channel.pipeline.syncOperations.addHandler(certificate.handler()) }
        }.flatMap {
            http.setup(channel: channel, logger: logger)
        }
        // The listener drops a connection that was not set up, and does not close it.
        value.whenFailure { error in
            logger.debug("a connection was closed", metadata: ["error.type": "\(type(of: error))"])
            channel.close(promise: nil)
        }
        return value
    }

    @concurrent
    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await http.handle(value: value, logger: logger)
        }
    }
}
