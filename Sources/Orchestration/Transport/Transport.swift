public import OrchestrationProtocol

/// A transport that delivers commands to the platform and returns its answers.
///
/// The SDK itself does not use the network. `HTTPTransport` of `OrchestrationHTTP` posts commands, and with
/// ``RelayTransport`` the app delivers them. An app with another way implements this protocol.
///
/// The contract:
/// - A command is opaque, and its text form is safe for any channel. Deliver it unchanged, and return the answer
///   unchanged.
/// - Throw when there is no answer. The app receives the error inside an `OrchestrationError` with the code
///   `transport`. The flow then calls ``send(_:)`` with the same command again, a bounded number of times. A command
///   may be delivered twice: the platform answers a repetition with the same bytes.
/// - The SDK trusts nothing that a transport returns or throws unless the platform has sealed it.
/// - `send` must end soon after its task is canceled.
/// - `send` is called from several tasks at once when several flows run.
public protocol Transport: Sendable {
    /// Delivers a command and waits for the answer.
    ///
    /// - Parameter command: The command.
    /// - Returns: The answer of the platform.
    /// - Throws: Any error when there is no answer; `CancellationError` when the task was canceled.
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand
}
