import CommandLine
import Orchestration

/// The progress of a flow on standard error.
enum FlowReport {
    /// Runs a flow to its end, and prints its steps and warnings.
    ///
    /// - Parameters:
    ///   - show: Called with the one-time password as soon as it is ready.
    ///   - showSignature: Called with the signature as soon as it is ready.
    ///   - showSeal: Called with the seal as soon as it is ready.
    ///   - decide: Called with an approval request. It approves or rejects, or leaves the request undecided.
    /// - Returns: The outcome of a successful flow.
    /// - Throws: ``ErrorReport`` for any other end, and the errors of the flow.
    static func follow(
        _ flow: AsyncThrowingStream<FlowEvent, any Error>, show: (OneTimePasswordResult) throws -> Void = { _ in },
        showSignature: (LocalSignature) throws -> Void = { _ in },
        showSeal: (OfflineSeal) throws -> Void = { _ in },
        decide: (ApprovalRequest) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        var rejection: InputRejection?
        var failure: OrchestrationError?
        for try await event in flow {
            switch event {
            case .stepCompleted(let step): StandardStream.error.print("\(step)")
            case .inputRejected(let reason): rejection = reason
            case .oneTimePasswordReady(let result): try show(result)
            case .signatureReady(let signature): try showSignature(signature)
            case .sealReady(let seal): try showSeal(seal)
            case .approvalRequired(let request):
                // The flow continues with the events of the answer, and ends in the same way. Only a request that the
                // error leaves undecided ends differently.
                do { try await decide(request) } catch let error as OrchestrationError { failure = error }
            case .warning(let warning): Self.show(warning)
            case .enrollmentProgressed(let step): StandardStream.error.print("enrollment \(step)")
            case .succeeded(let outcome): return outcome
            case .aborted(let error) where error.code == .canceled:
                // At a terminal, the user has already seen the reason. With a descriptor, only the hint shows it.
                throw ErrorReport(
                    rejection?.isWrongInput == true ? .usage : .refused, "canceled",
                    hint: rejection.map { PromptCatalog.default.text(for: $0) },
                    code: "\(error.code) (\(error.number))")
            case .aborted(let end), .outdated(let end):
                let error = failure ?? end
                if let notice = error.notice { Self.show(notice) }
                throw ErrorReport(error)
            }
        }
        throw CancellationError()
    }

    /// Prints the text of a notice as the site's text.
    static func show(_ notice: RefusalNotice) {
        if let text = notice.displayed { StandardStream.error.print("the site says: \(text)") }
    }

    /// Prints a warning with the SDK's text.
    static func show(_ warning: Warning) {
        StandardStream.error.print("warning: \(PromptCatalog.default.text(for: warning))")
    }
}
