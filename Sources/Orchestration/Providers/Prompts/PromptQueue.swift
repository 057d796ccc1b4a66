public import Primitives
internal import Synchronization

/// A provider that asks for the password through a sequence of prompts, for an interface that is not a terminal.
///
/// ```swift
/// let queue = PromptQueue()                     // in the providers of the orchestrator
/// for try await pending in queue.prompts {
///     // Show pending.prompt. Then call pending.answer(_:) or pending.cancel().
/// }
/// ```
///
/// The prompts of all flows come one after another: the next one comes when the previous one has ended. A prompt ends
/// without an answer when its flow ends, for example because its task was canceled; see ``PendingPrompt/isOpen`` and
/// ``PendingPrompt/end()``.
///
/// A flow throws `promptUnanswered` when no reader takes its prompt within 10 seconds, or when the reader releases
/// the ``PendingPrompt`` while it is open. ``PromptModel`` is the same for views.
public final class PromptQueue: PasswordProvider {
    /// The time that a prompt waits for a reader: 10 seconds. It begins when the previous prompt has
    /// ended. A prompt that was read waits for its answer without a limit.
    package static let readerLimit = Duration.seconds(10)

    private struct State {
        /// The prompts that were not read, in their order.
        var unread: [PendingPrompt] = []
        /// The reply of the prompt that was read and has not ended.
        var shown: PromptReply?
        /// The time limit of the first prompt that was not read.
        var limit: (reply: PromptReply, timer: Task<Void, Never>)?
        /// The reader that waits for a prompt.
        var reader: (number: Int, continuation: AsyncStream<PendingPrompt>.Continuation)?
        /// The last number of a prompt or reader.
        var number = 0
        var isClosed = false

        mutating func nextNumber() -> Int {
            number += 1
            return number
        }

        mutating func endLimit(of reply: PromptReply) {
            guard let limit, limit.reply === reply else { return }
            limit.timer.cancel()
            self.limit = nil
        }
    }

    private let state = Mutex(State())
    private let time: any TimeSource

    /// Creates a queue.
    ///
    /// - Parameter time: The clock for the wait for a reader.
    public init(time: any TimeSource = SystemTimeSource()) {
        self.time = time
    }

    /// The prompts, as they arrive.
    ///
    /// The sequence has one reader: a second iterator that pulls at the same time gets `consumedTwice`. It ends when
    /// the task of the reader is canceled. Another reader can then continue.
    public var prompts: AsyncThrowingStream<PendingPrompt, any Error> {
        AsyncThrowingStream { try await self.next() }
    }

    /// `.available`.
    public func availability() async -> Availability { .available }

    /// Adds a prompt to the sequence, and waits for its answer.
    ///
    /// - Throws: `promptUnanswered`; ``UserAuthenticationError/aborted`` when the prompt is canceled;
    ///   `CancellationError`.
    public func authenticate(_ prompt: Prompt) async throws -> UserInput {
        let reply = PromptReply()
        try add(prompt, reply)
        defer { remove(reply) }
        return try await reply.input()
    }

    /// Returns the next prompt; `nil` when the task is canceled or the queue is closed.
    func next() async throws -> PendingPrompt? {
        let (stream, continuation) = AsyncStream<PendingPrompt>.makeStream()
        let number = try state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            guard state.reader == nil else { throw OrchestrationError(.consumedTwice) }
            let number = state.nextNumber()
            state.reader = (number, continuation)
            return number
        }
        guard let number else { return nil }
        // The cancellation of the reader frees its place before its task runs again.
        continuation.onTermination = { [weak self] _ in self?.leave(number) }
        advance()
        var prompts = stream.makeAsyncIterator()
        return await prompts.next()
    }

    /// Ends all current and later prompts with `promptUnanswered`, because no reader will come.
    func close() {
        let (replies, reader) = state.withLock { state in
            state.isClosed = true
            return (state.unread.map(\.reply) + (state.shown.map { [$0] } ?? []), state.reader)
        }
        for reply in replies { reply.finish(.failure(OrchestrationError(.promptUnanswered))) }
        reader?.continuation.finish()
    }

    private func add(_ prompt: Prompt, _ reply: PromptReply) throws(OrchestrationError) {
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.unread.append(PendingPrompt(prompt, id: state.nextNumber(), reply: reply))
            return false
        }
        guard !isClosed else { throw OrchestrationError(.promptUnanswered) }
        advance()
    }

    private func leave(_ number: Int) {
        state.withLock { if $0.reader?.number == number { $0.reader = nil } }
    }

    /// Removes a prompt that has ended, and continues with the next one.
    private func remove(_ reply: PromptReply) {
        state.withLock { state in
            if state.shown === reply { state.shown = nil }
            state.unread.removeAll { $0.reply === reply }
            state.endLimit(of: reply)
        }
        advance()
    }

    /// Gives the first prompt to the reader, or starts its time limit when there is no reader.
    private func advance() {
        state.withLock { state in
            guard state.shown == nil, let first = state.unread.first else { return }
            if let reader = state.reader, case .enqueued = reader.continuation.yield(first) {
                state.reader = nil
                state.unread.removeFirst()
                state.shown = first.reply
                state.endLimit(of: first.reply)
            } else if state.limit == nil {
                let reply = first.reply
                let timer = Task { [time] in
                    guard (try? await time.sleep(for: Self.readerLimit)) != nil else { return }
                    reply.finish(.failure(OrchestrationError(.promptUnanswered)))
                }
                state.limit = (reply, timer)
            }
        }
    }
}
