extension AsyncThrowingStream<FlowEvent, any Error> {
    /// Runs the flow to its end and gives its outcome alone.
    ///
    /// Warnings and progress are dropped; iterate the stream to see them.
    ///
    /// - Returns: what ``FlowEvent/succeeded(_:)`` carries.
    /// - Throws: what the flow throws; `OrchestrationError` with the code `aborted` or `outdated` for the other two
    ///   terminal events (its ``OrchestrationError/abortCause`` says why); `CancellationError` when the task was
    ///   canceled, also between two events, where the stream itself ends without an error.
    public func result() async throws -> Outcome {
        for try await event in self {
            switch event {
            case .succeeded(let outcome): return outcome
            case .outdated(let reason): throw OrchestrationError(outdated: reason)
            case .aborted(let cause): throw OrchestrationError(aborted: cause)
            case .stepCompleted, .inputRejected, .oneTimePasswordReady, .warning: continue
            }
        }
        throw CancellationError()
    }
}
