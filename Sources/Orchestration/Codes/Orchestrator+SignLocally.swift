extension Orchestrator {
    /// Signs the fields of a transaction on the device.
    ///
    /// The signature needs no network: `.signatureReady` carries it as soon as it exists. The flow then moves the key
    /// ratchet with one request, where ``LocalTransactionParameters/synchronization`` allows it, and ends with
    /// `.succeeded` and the same signature, as a flow of ``authenticateLocally(_:)`` does.
    ///
    /// The prompt for the password carries the fields. With the protection `.possession` there is no prompt: show the
    /// fields before the call. A counter is durable before its signature is shown, so that two equal transactions have
    /// two signatures and a crash cannot make one twice. The platform finds a signature among the next eleven. A device
    /// that has made more of them without sending one is found again at its next contact.
    ///
    /// - Parameter parameters: The user, the fields, the crypto application and the protection.
    /// - Returns: The flow, which starts when it is iterated. It throws `invalidUser`, `invalidArgument`,
    ///   `notActivated`, `userLocked`, `applicationUnsuitable`, `providerUnavailable`, the errors
    ///   of the store and the device key, and `CancellationError`.
    public nonisolated func signLocally(
        _ parameters: LocalTransactionParameters
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<LocalCodeFlow<LocalTransactionParameters>>.stream(parameters, on: self)
    }

    /// Signs the fields of a transaction on the device and returns the signature.
    ///
    /// The same as ``signLocally(_:)`` without the other events. The method returns after the key ratchet was moved, or
    /// after the time limit in ``LocalTransactionParameters/synchronization``; an app that shows the signature earlier
    /// iterates the flow.
    ///
    /// - Parameter parameters: The user, the fields, the crypto application and the protection.
    /// - Returns: The signature.
    /// - Throws: The errors of ``signLocally(_:)``, and `aborted` for the other end of the flow.
    public nonisolated func signature(for parameters: LocalTransactionParameters) async throws -> LocalSignature {
        guard case .signedLocally(let signature) = try await signLocally(parameters).result() else {
            throw OrchestrationError(.internal)
        }
        return signature
    }
}
