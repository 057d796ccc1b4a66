internal import Synchronization

/// A question of a flow that waits for its answer.
///
/// Keep it until it is answered: when the last reference is released while the prompt is open, the flow throws
/// `promptUnanswered`.
public final class PendingPrompt: Sendable, Identifiable {
    /// The number of the prompt in its queue, which no other prompt of the queue has.
    public let id: Int

    /// The question, with its texts.
    public let prompt: Prompt

    let reply: PromptReply

    init(_ prompt: Prompt, id: Int, reply: PromptReply) {
        self.prompt = prompt
        self.id = id
        self.reply = reply
    }

    deinit { reply.finish(.failure(OrchestrationError(.promptUnanswered))) }

    /// Whether the prompt can be answered: it was not answered or canceled, and its flow waits for it.
    public var isOpen: Bool { reply.isOpen }

    /// Answers the prompt.
    ///
    /// - Parameter input: The input of the user.
    /// - Returns: Whether the flow gets the input. `false` when the prompt has ended; the input then has no effect.
    @discardableResult
    public func answer(_ input: UserInput) -> Bool { reply.finish(.success(input)) }

    /// Cancels the prompt for the user. The flow ends with `.aborted` (`canceled`).
    ///
    /// - Returns: Whether this call ends the flow. `false` when the prompt has ended.
    @discardableResult
    public func cancel() -> Bool { reply.finish(.failure(UserAuthenticationError.aborted)) }

    /// Returns when the prompt has ended: it was answered or canceled, or its flow has ended. Then remove it from the
    /// screen.
    ///
    /// In a canceled task, the call returns at once.
    public func end() async { await reply.end() }
}

/// The reply to one prompt. The first one counts.
final class PromptReply: Sendable {
    private struct State {
        var isOpen = true
        /// The reply until the flow takes it.
        var result: Result<UserInput, any Error>?
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock(\.isOpen) }

    /// Ends the prompt.
    ///
    /// - Returns: Whether it was open.
    @discardableResult
    func finish(_ result: Result<UserInput, any Error>) -> Bool {
        let waiting = state.withLock { state -> [AsyncStream<Void>.Continuation]? in
            guard state.isOpen else { return nil }
            state.isOpen = false
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting ?? [] { continuation.finish() }
        return waiting != nil
    }

    /// Waits for the end of the prompt or of the task.
    func end() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let isOpen = state.withLock { state in
            if state.isOpen { state.waiting.append(continuation) }
            return state.isOpen
        }
        guard isOpen else { return }
        for await _ in stream {}
    }

    /// Waits for the reply, and takes it. A task that is canceled ends the prompt.
    func input() async throws -> UserInput {
        await end()
        finish(.failure(CancellationError()))
        let result = state.withLock { $0.result.take() }
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}
