public import Orchestration
public import OrchestrationProtocol
public import TrustedIdentity

/// A transport to a platform in the same process, without a network: commands, and streams of notifications.
///
/// An error of the platform becomes an `OrchestrationError` with the code `transport`, like an error status of HTTP.
public struct InProcessTransport: Transport {
    let platform: @Sendable () -> Platform
    let address: String?
    /// The streams that a restart of the platform breaks.
    let streams: InProcessStreams

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - platform: Returns the platform. It is called for each command, because a test may restart the platform.
    ///   - address: The address of the sender, for the platform.
    public init(to platform: @escaping @Sendable () -> Platform, from address: String? = nil) {
        self.init(to: platform, from: address, streams: InProcessStreams())
    }

    init(
        to platform: @escaping @Sendable () -> Platform, from address: String? = nil, streams: InProcessStreams
    ) {
        self.platform = platform
        self.address = address
        self.streams = streams
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
