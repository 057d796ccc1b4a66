internal import OneTimePassword
internal import OrchestrationProtocol
internal import Primitives

extension OrchestrationError {
    /// Creates the error for a flow that was aborted.
    init(aborted cause: AbortCause, notice: RefusalNotice? = nil) {
        self.init(.aborted, underlying: FlowEnd.aborted(cause, notice))
    }

    /// Creates the error for a flow that is outdated.
    init(outdated reason: OutdatedReason, notice: RefusalNotice? = nil) {
        self.init(.outdated, underlying: FlowEnd.outdated(reason, notice))
    }

    /// The cause of an error with the code `aborted`.
    public var abortCause: AbortCause? {
        guard case .aborted(let cause, _) = underlying as? FlowEnd else { return nil }
        return cause
    }

    /// The reason of an error with the code `outdated`.
    public var outdatedReason: OutdatedReason? {
        guard case .outdated(let reason, _) = underlying as? FlowEnd else { return nil }
        return reason
    }

    /// The notice of the application server about the end of the flow; `nil` for none. The text is not that of the SDK:
    /// show it as a text of the site.
    public var notice: RefusalNotice? {
        switch underlying as? FlowEnd {
        case .aborted(_, let notice), .outdated(_, let notice): notice
        case nil: nil
        }
    }

    /// Returns the error that an app gets: an `OrchestrationError` or a `CancellationError`, whatever was thrown.
    ///
    /// After cancellation every error is a `CancellationError`. Errors of the SDK's own modules are never blamed on the
    /// app.
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

/// A terminal event other than success, as an error.
private enum FlowEnd: Error {
    case aborted(AbortCause, RefusalNotice?)
    case outdated(OutdatedReason, RefusalNotice?)
}
