extension Orchestrator {
    /// Makes a one-time password on the device.
    ///
    /// The code needs no network: `.oneTimePasswordReady` carries it as soon as it exists. The flow then moves the key
    /// ratchet with one request, where ``OneTimePasswordParameters/synchronization`` allows it, and ends with
    /// `.succeeded` and the same result. Without a network there is a `.warning` instead. The move follows the code,
    /// because it needs the network; it precedes the end, because a thief who copies the store later must not be able
    /// to test guesses of the password against a code that was seen.
    ///
    /// A counter is durable before its code is shown, so that a crash cannot make a code twice. The device cannot
    /// detect a wrong password: it makes a code that the platform refuses and counts.
    ///
    /// - Parameter parameters: The user, the crypto application, the challenge and the protection.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `applicationUnsuitable`, `invalidChallenge`,
    ///   `providerUnavailable`, the errors of the store and the device key, and `CancellationError`.
    public nonisolated func authenticateLocally(
        _ parameters: OneTimePasswordParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<LocalCodeFlow<OneTimePasswordParameters>>.stream(parameters, on: self)
    }

    /// Makes a one-time password on the device and returns it.
    ///
    /// The same as ``authenticateLocally(_:)`` without the other events. The method returns after the key ratchet was
    /// moved, or after the time limit in ``OneTimePasswordParameters/synchronization``; an app that shows the code
    /// earlier iterates the flow.
    ///
    /// - Parameter parameters: The user, the crypto application, the challenge and the protection.
    /// - Returns: The one-time password.
    /// - Throws: The errors of ``authenticateLocally(_:)``, and `aborted` for the other end of the flow.
    public nonisolated func oneTimePassword(
        for parameters: OneTimePasswordParameters
    ) async throws -> OneTimePasswordResult {
        guard case .authenticatedLocally(let result) = try await authenticateLocally(parameters).result() else {
            throw OrchestrationError(.internal)
        }
        return result
    }
}
