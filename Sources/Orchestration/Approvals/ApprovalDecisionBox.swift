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
    private let answer = Mutex((isOpen: false, hasFailed: false))

    /// Whether an answer was made durable and sent, and its outcome is not known.
    var isAnswerOpen: Bool {
        get { answer.withLock { $0.isOpen } }
        set { answer.withLock { $0.isOpen = newValue } }
    }

    /// Whether the call of the app with the decision has failed.
    var hasFailed: Bool {
        get { answer.withLock { $0.hasFailed } }
        set { answer.withLock { $0.hasFailed = newValue } }
    }

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
