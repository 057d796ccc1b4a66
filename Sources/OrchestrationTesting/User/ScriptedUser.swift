public import Orchestration
internal import Primitives
internal import Synchronization

/// A user that answers prompts from a script and records the prompts.
///
/// ```swift
/// let careless = ScriptedUser([.password("111111"), .password("482915"), .password("482915")])
/// let alice = ScriptedUser(password: "482915")        // the same at every prompt
/// ```
///
/// A prompt after the end of the script throws ``ScriptExhausted``, which lets a test detect one prompt too many.
public final class ScriptedUser: PasswordProvider {
    /// The method of this provider.
    public let method: AuthenticationMethod

    private let script: Mutex<Script>

    private struct Script {
        var answers: ArraySlice<ScriptedAnswer>
        /// The answer after the end of the script.
        let afterEnd: ScriptedAnswer?
        var prompts: [Prompt] = []
        var availability = Availability.available
        var decisions: ArraySlice<ScriptedDecision> = []
        var approvals: [ApprovalRequest] = []
    }

    /// Creates a user with one answer for each prompt.
    ///
    /// - Parameters:
    ///   - answers: The answers in the order of the prompts.
    ///   - method: The method of the provider.
    public init(_ answers: [ScriptedAnswer], method: AuthenticationMethod = .password) {
        self.method = method
        script = Mutex(Script(answers: answers[...], afterEnd: nil))
    }

    /// Creates a user that types the same password at every prompt.
    public init(password: String) {
        method = .password
        script = Mutex(Script(answers: [], afterEnd: .password(password)))
    }

    /// The prompts so far, in order.
    public var prompts: [Prompt] {
        script.withLock { $0.prompts }
    }

    /// Appends answers to the script.
    public func append(_ answers: ScriptedAnswer...) {
        script.withLock { $0.answers.append(contentsOf: answers) }
    }

    /// Appends decisions about approval requests to the script.
    public func willDecide(_ decisions: ScriptedDecision...) {
        script.withLock { $0.decisions.append(contentsOf: decisions) }
    }

    /// The approval requests that were shown so far, in order.
    public var approvals: [ApprovalRequest] { script.withLock { $0.approvals } }

    /// Approves or rejects a request as the script specifies.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer with its receipt; `nil` for a decision that is ignored.
    /// - Throws: ``ScriptExhausted``; the errors of ``/Orchestration/ApprovalRequest/approve(number:)`` and
    ///   ``/Orchestration/ApprovalRequest/reject(_:by:)``.
    @discardableResult
    public func decide(_ request: ApprovalRequest) async throws -> AnsweredApproval? {
        let decision = script.withLock { script in
            script.approvals.append(request)
            return script.decisions.popFirst()
        }
        return switch decision {
        case .approve(let number): try await request.approve(number: number)
        case .reject(let reason, let method): try await request.reject(reason, by: method)
        case .ignore: nil
        case nil: throw ScriptExhausted()
        }
    }

    /// Runs a flow to its end and decides about its approval requests as the script specifies.
    ///
    /// - Parameter flow: The flow.
    /// - Returns: The terminal event.
    /// - Throws: The errors of the flow; the errors of ``decide(_:)`` that leave a request undecided;
    ///   `CancellationError` for a flow without a terminal event.
    public func follow(_ flow: AsyncThrowingStream<FlowEvent, any Error>) async throws -> FlowEvent {
        var failure: OrchestrationError?
        for try await event in flow {
            if case .approvalRequired(let request) = event {
                do { try await decide(request) } catch let error as OrchestrationError { failure = error }
            }
            guard event.isTerminal else { continue }
            // An answer that fails ends its flow with the same error.
            if let failure, event.failure != failure { throw failure }
            return event
        }
        throw CancellationError()
    }

    /// Sets the availability of the provider. It is `Availability.available` at first.
    public func setAvailability(_ availability: Availability) {
        script.withLock { $0.availability = availability }
    }

    /// Returns the availability that the test set.
    public func availability() async -> Availability {
        script.withLock { $0.availability }
    }

    /// Gives the next answer of the script.
    public func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let answer = script.withLock { script in
            script.prompts.append(prompt)
            return script.answers.popFirst() ?? script.afterEnd
        }
        guard let answer else { throw ScriptExhausted() }
        return try await answer.act(prompt)
    }
}

/// A decision of a ``ScriptedUser`` about an approval request.
public enum ScriptedDecision: Sendable, Hashable {
    /// Approves, with the number that the site shows where the request asks for one.
    case approve(number: String? = nil)
    /// Rejects with a reason. The method, where one is given, proves the rejection.
    case reject(RejectionReason, by: AuthenticationMethod? = nil)
    /// Continues without a decision.
    case ignore
}

/// The error of a flow that asked more often than the script of a ``ScriptedUser`` has answers.
public struct ScriptExhausted: Error, Sendable {}

/// The behavior of a ``ScriptedUser`` at one prompt.
public struct ScriptedAnswer: Sendable {
    let act: @Sendable (Prompt) async throws -> UserInput

    /// Creates an answer from a closure, which can wait, cancel or inspect the prompt.
    public init(_ act: @escaping @Sendable (Prompt) async throws -> UserInput) {
        self.act = act
    }

    /// Returns an answer that types a password.
    public static func password(_ text: String) -> ScriptedAnswer {
        ScriptedAnswer { _ in UserInput(SecretBytes(copying: text.utf8)) }
    }

    /// An answer that aborts the flow.
    public static let abort = ScriptedAnswer { _ in throw UserAuthenticationError.aborted }

    /// An answer with which the method fails.
    public static let fail = ScriptedAnswer { _ in throw UserAuthenticationError.failed }
}
