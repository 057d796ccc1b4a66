internal import Logging
internal import ServiceLifecycle

/// A service that reads the certificate of the servers again when it is asked to.
struct CertificateReload: Service {
    /// Reads the certificate for each server.
    let reload: @Sendable () throws -> Void
    let reloads: AsyncStream<Void>
    let logger: Logger

    func run() async throws {
        for await _ in reloads.cancelOnGracefulShutdown() {
            do {
                try reload()
                logger.notice("the certificate was read again, new connections get it")
            } catch let error as ServerError {
                let reason = error.underlying.map { "\($0)" } ?? error.message
                logger.error(
                    "the certificate was not replaced, the earlier one stays in use", metadata: ["reason": "\(reason)"])
            }
        }
        // The end of a service would be the end of the group.
        try? await gracefulShutdown()
    }
}
