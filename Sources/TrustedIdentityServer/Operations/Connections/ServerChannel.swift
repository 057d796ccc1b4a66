internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypesHTTP1

/// The handlers of a connection, if the limits allow it: TLS, if the server has a certificate, and HTTP/1.1 over it.
struct ServerChannel: ServerChildChannel {
    /// A connection with its HTTP.
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let connection: OpenConnection

        var channel: any Channel { http.channel }
    }

    let http: HTTP1Channel
    let certificate: ServerCertificate?
    let connections: OpenConnections

    /// The error of a connection beyond the limits.
    private struct TooManyConnections: Error {}

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let connection = connections.begin(channel.remoteAddress?.ipAddress, at: .now) { channel.close(promise: nil) }
        if let connection { channel.closeFuture.whenComplete { [connections] _ in connections.end(connection) } }
        let value = channel.eventLoop.makeCompletedFuture {
            guard let connection else { throw TooManyConnections() }
            if let certificate { try channel.pipeline.syncOperations.addHandler(certificate.handler()) }
            return connection
        }.flatMap { connection in
            http(for: connection).setup(channel: channel, logger: logger).flatMapThrowing { http in
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(
                    MessageRules(), position: .before(try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)))
                return Value(http: http, connection: connection)
            }
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
        await OpenConnection.$current.withValue(value.connection) {
            await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
                await http.handle(value: value.http, logger: logger)
            }
        }
    }

    /// Returns the HTTP of a connection, with the handler that notes when it is idle.
    private func http(for connection: OpenConnection) -> HTTP1Channel {
        var configuration = http.configuration
        configuration.additionalChannelHandlers = { [handlers = http.configuration.additionalChannelHandlers] in
            handlers() + [IdleState(connection)]
        }
        return HTTP1Channel(responder: http.responder, configuration: configuration)
    }
}
