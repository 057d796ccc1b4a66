internal import Primitives
internal import Synchronization

/// The user's decision about an approval request.
struct ApprovalChoice: Sendable, Hashable {
    let decision: ApprovalDecision
    /// The digits that the user typed; `nil` where none are asked for.
    let number: String?
    /// The method that the app chose; `nil` for the requested one.
    let method: AuthenticationMethod?
}

/// The decision about one approval request: written once by the app, and read by the flow.
///
/// All copies of an ``ApprovalRequest`` share one box.
final class ApprovalDecisionBox: Sendable {
    private enum State {
        case open
        case decided(ApprovalChoice)
        case closed
    }

    private let state = Mutex(State.open)
    private let answer = Mutex(Answer.none)

    /// The answer to the request on this device.
    enum Answer {
        /// There is none, or its outcome is known.
        case none
        /// It was made durable and sent.
        case sent
        /// The call of the app has failed after it was sent. The device keeps the answer.
        case left
    }

    /// Sets whether an answer was sent whose outcome is not known.
    func noteAnswer(isSent: Bool) { answer.withLock { $0 = isSent ? .sent : .none } }

    /// Notes that the call of the app has failed.
    ///
    /// - Returns: Whether it leaves an answer on the device.
    @discardableResult
    func noteFailure() -> Bool {
        answer.withLock { answer in
            if answer == .sent { answer = .left }
            return answer == .left
        }
    }

    /// Whether the call of the app has failed and has left its answer on the device.
    var hasLeftAnswer: Bool { answer.withLock { $0 == .left } }

    /// Records the decision.
    ///
    /// - Throws: `alreadyDecided` when there is one, and after the end of the flow.
    func decide(_ choice: ApprovalChoice) throws(OrchestrationError) {
        let isRecorded = state.withLock { state in
            guard case .open = state else { return false }
            state = .decided(choice)
            return true
        }
        guard isRecorded else { throw OrchestrationError(.alreadyDecided) }
    }

    /// Returns the decision, and refuses a later one.
    ///
    /// - Returns: `nil` when there is none.
    func close() -> ApprovalChoice? {
        state.withLock { state in
            defer { state = .closed }
            guard case .decided(let choice) = state else { return nil }
            return choice
        }
    }
}
