internal import Logging
internal import ServiceLifecycle
internal import TrustedIdentity

/// A service that reads the policy and the certificate again when it is asked to. What cannot be read remains
/// unchanged.
struct FileReload: Service {
    let platform: Platform
    /// Reads the policy; `nil` if the configuration names no file.
    let readPolicy: (@Sendable () throws(ConfiguredFileError) -> PolicyText)?
    /// Reads the certificate for each server; `nil` without TLS.
    let reloadCertificate: (@Sendable () throws -> Void)?
    let reloads: AsyncStream<Void>
    let logger: Logger

    func run() async throws {
        for await _ in reloads.cancelOnGracefulShutdown() {
            if readPolicy == nil, reloadCertificate == nil {
                logger.notice("nothing was read again: the configuration names no policy and no certificate")
            }
            await replacePolicy()
            replaceCertificate()
        }
        // If the service ended, the group would end.
        try? await gracefulShutdown()
    }

    private func replacePolicy() async {
        guard let readPolicy else { return }
        do {
            let text = try readPolicy()
            try await platform.replacePolicy(with: text.policy, hash: text.hash)
        } catch is CancellationError {
            // The server stops.
        } catch {
            let reason = (error as? PlatformError)?.administratorMessage ?? "\(error)"
            logger.error("the policy was not replaced, the earlier one stays in use", metadata: ["reason": "\(reason)"])
        }
    }

    private func replaceCertificate() {
        guard let reloadCertificate else { return }
        do {
            try reloadCertificate()
            logger.notice("the certificate was read again, new connections get it")
        } catch {
            let reason = (error as? ServerError)?.underlying ?? error
            logger.error(
                "the certificate was not replaced, the earlier one stays in use", metadata: ["reason": "\(reason)"])
        }
    }
}
