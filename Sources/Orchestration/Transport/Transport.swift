public import Wire

/// The way of a command to the platform and of the answer back.
///
/// The SDK never talks to the network itself (requirement A2). `HTTPTransport` of `OrchestrationHTTP` posts commands,
/// ``RelayTransport`` lets the app carry them by hand, and an app with a way of its own implements this protocol.
///
/// The contract:
/// - A command is opaque and its text form is safe for any channel. Deliver it unchanged, return the answer unchanged.
/// - Throw when there is no answer. What is thrown reaches the app inside an `OrchestrationError` with the code
///   `transport`. The same command is then given to ``send(_:)`` again, a bounded number of times: to deliver a
///   command twice does no harm, the platform answers a repeat with the same bytes.
/// - Nothing that a transport returns or throws is believed unless the platform has sealed it.
/// - React to cancellation: `send` must end soon after its task is canceled.
/// - `send` is called from many tasks at once when several flows run.
public protocol Transport: Sendable {
    /// Delivers a command and waits for the answer.
    ///
    /// - Parameter command: the command that leaves.
    /// - Returns: the platform's answer.
    /// - Throws: any error when no answer came; `CancellationError` when the task was canceled.
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand
}
