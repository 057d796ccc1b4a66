import Orchestration

/// Follows a flow: progress and warnings go to standard error, the outcome to the caller.
enum FlowReport {
    /// Runs a flow to its end.
    ///
    /// - Parameter show: gets the one-time password as soon as there is one.
    static func follow(
        _ flow: AsyncThrowingStream<FlowEvent, any Error>, show: (OneTimePasswordResult) throws -> Void = { _ in }
    ) async throws -> Outcome {
        var rejection: InputRejection?
        for try await event in flow {
            switch event {
            case .stepCompleted(let step): Complaint.note("\(step)")
            case .inputRejected(let reason): rejection = reason
            case .oneTimePasswordReady(let code): try show(code)
            case .warning(let warning): Complaint.note("warning: \(warning.message)")
            case .succeeded(let outcome): return outcome
            case .outdated:
                throw CommandFailure(.outdated, "the activation is over", hint: "ask for a new activation password")
            case .aborted(.user):
                // At a terminal the user has read why and given up; a descriptor has nobody to read it.
                throw CommandFailure(.refused, "aborted", hint: rejection.map { PromptCatalog.default[$0.textKey] })
            case .aborted(let cause): throw CommandFailure(cause)
            }
        }
        throw CancellationError()
    }
}
