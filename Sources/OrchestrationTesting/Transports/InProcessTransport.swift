public import Orchestration
public import TrustedIdentity
public import Wire

/// A transport to a platform in the same process, without a network.
///
/// An error of the platform becomes an `OrchestrationError` with the code `transport`, like an error status of HTTP.
public struct InProcessTransport: Transport {
    private let platform: @Sendable () -> Platform
    private let address: String?

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - platform: Returns the platform. It is called for each command, so that a test can restart the platform.
    ///   - address: The address of the sender, for the platform.
    public init(to platform: @escaping @Sendable () -> Platform, from address: String? = nil) {
        self.platform = platform
        self.address = address
    }

    /// Executes a command on the platform.
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
