public import Orchestration
public import TrustedIdentity
public import Wire

/// Hands commands to a platform in the same process: the client's side and the platform's without a network.
///
/// What the platform throws becomes an `OrchestrationError` with the code `transport`, as an error status does over HTTP.
public struct InProcessTransport: Transport {
    private let platform: @Sendable () -> Platform
    private let address: String?

    /// A transport to a platform.
    ///
    /// - Parameters:
    ///   - platform: asked at each command, so that a test can replace the platform by a restarted one.
    ///   - address: what the platform takes for the address of the sender.
    public init(to platform: @escaping @Sendable () -> Platform, from address: String? = nil) {
        self.platform = platform
        self.address = address
    }

    /// Lets the platform execute a command.
    public func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        do {
            return try await platform().execute(command, from: address)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw OrchestrationError(.transport, underlying: error)
        }
    }
}
