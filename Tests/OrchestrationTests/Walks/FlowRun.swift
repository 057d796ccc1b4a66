import Orchestration
import Primitives

/// The result of iterating a flow.
struct FlowRun: Sendable {
    enum End: Sendable {
        case succeeded(Outcome)
        case outdated(OrchestrationError.Code)
        case aborted(OrchestrationError.Code)
        /// The flow was aborted by a refusal that has no code of its own.
        case refused(UInt64)
        /// The consumer left the loop.
        case left
        case threw(any Error)
        /// The stream ended without a terminal event.
        case endedEarly
    }

    var end: End
    var steps = 0
    var code: OneTimePasswordResult?
    /// The signature that was shown.
    var signature: LocalSignature?
    var warnings: [Warning] = []
    var rejections: [InputRejection] = []

    /// The end in a word, for traces.
    var word: String {
        switch end {
        case .succeeded: "succeeded"
        case .outdated(let code): "outdated \(code)"
        case .aborted(let code): "aborted \(code)"
        case .refused(let number): "aborted refused(\(number))"
        case .left: "left"
        case .threw(let error): "threw \(error)"
        case .endedEarly: "ended early"
        }
    }

    /// Iterates a flow to its end, or leaves it after a number of events.
    ///
    /// - Parameters:
    ///   - stream: The flow.
    ///   - limit: The number of events after which the flow is left, or `nil`.
    ///   - between: Runs when a code was shown, before the next event.
    ///   - deciding: Decides on an approval request that is shown.
    /// - Throws: `FlowContractError` when an event follows a terminal one, or an error is neither of the two kinds.
    static func of(
        _ stream: AsyncThrowingStream<FlowEvent, any Error>, leavingAfter limit: Int? = nil,
        between: (() async throws -> Void)? = nil, deciding: ((ApprovalRequest) throws -> Void)? = nil
    ) async throws -> FlowRun {
        var run = FlowRun(end: .endedEarly)
        var iterator = stream.makeAsyncIterator()
        var count = 0
        do {
            while let event = try await iterator.next() {
                switch event {
                case .stepCompleted: run.steps += 1
                case .oneTimePasswordReady(let code):
                    run.code = code
                    try await between?()
                case .signatureReady(let signature):
                    run.signature = signature
                    try await between?()
                case .warning(let warning): run.warnings.append(warning)
                case .inputRejected(let rejection): run.rejections.append(rejection)
                case .approvalRequired(let request): try deciding?(request)
                case .enrollmentProgressed, .sealReady: break
                case .succeeded(let outcome): run.end = .succeeded(outcome)
                case .outdated(let error): run.end = .outdated(error.code)
                case .aborted(let error):
                    run.end = error.code == .refused ? .refused(error.refusalNumber ?? 0) : .aborted(error.code)
                }
                if event.isTerminal {
                    guard try await iterator.next() == nil else {
                        throw FlowContractError("an event after the terminal one")
                    }
                    return run
                }
                count += 1
                if count == limit {
                    run.end = .left
                    return run
                }
            }
            throw FlowContractError("a flow that ended without a terminal event")
        } catch let error as FlowContractError {
            throw error
        } catch let error as WalkFailure {
            throw error
        } catch {
            guard error is OrchestrationError || error is CancellationError else {
                throw FlowContractError("an error of another kind: \(error)")
            }
            run.end = .threw(error)
            return run
        }
    }
}

/// A violation of the contract of all flows.
struct FlowContractError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
