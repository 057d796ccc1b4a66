internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// The handlers of a connection: TLS, if the server has a certificate, and HTTP/1.1 over it.
struct ServerChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let http: HTTP1Channel
    let certificate: ServerCertificate?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
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
