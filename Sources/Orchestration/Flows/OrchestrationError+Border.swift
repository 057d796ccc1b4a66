extension OrchestrationError {
    /// The only errors that leave the SDK are `OrchestrationError` and `CancellationError`; everything else is wrapped.
    ///
    /// What a cancelled task ran into is the cancellation, whatever the transport or the provider made of it.
    static func crossingTheBorder(_ error: any Error) -> any Error {
        if Task.isCancelled || error is CancellationError { return CancellationError() }
        if error is OrchestrationError { return error }
        return OrchestrationError(.unexpected, underlying: error)
    }
}
