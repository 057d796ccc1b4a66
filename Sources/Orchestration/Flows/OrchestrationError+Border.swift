internal import OneTimePassword
internal import SecureChannel
internal import Wire

extension OrchestrationError {
    /// The only errors that leave the SDK are `OrchestrationError` and `CancellationError`; everything else is wrapped.
    ///
    /// What a canceled task ran into is the cancellation, whatever the transport or the provider made of it. Errors of
    /// the SDK's own parts are never put down to the app.
    static func crossingTheBorder(_ error: any Error) -> any Error {
        if Task.isCancelled || error is CancellationError { return CancellationError() }
        switch error {
        case is OrchestrationError: return error
        case let error as SecureChannelError where error.blame == .peer:
            return OrchestrationError(.invalidAnswer, underlying: error)
        case is SecureChannelError, is WireError, is OneTimePasswordError:
            return OrchestrationError(.internal, underlying: error)
        default: return OrchestrationError(.unexpected, underlying: error)
        }
    }
}
