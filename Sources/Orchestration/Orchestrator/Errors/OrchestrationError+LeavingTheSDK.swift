internal import OneTimePassword
internal import OrchestrationProtocol
internal import Primitives

extension OrchestrationError {
    /// Returns the error that an app gets for any thrown error: an `OrchestrationError` or a `CancellationError`.
    ///
    /// After cancellation every error is a `CancellationError`. Errors of the SDK's own modules never count as faults
    /// of the app. All other errors were thrown by code of the app.
    static func leavingTheSDK(_ error: any Error) -> any Error {
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
