public import Observation
public import Primitives

/// The prompts of flows for a view: the current one, as a value that SwiftUI and other observers follow.
///
/// Hand ``provider`` to the orchestrator, and show ``pending`` while it is not `nil`:
///
/// ```swift
/// let prompts = PromptModel()
/// let orchestrator = try await Orchestrator(…, providers: [prompts.provider], …)
/// ```
///
/// Keep the model as long as the orchestrator. When it is released, open prompts and those to come end with
/// `promptUnanswered`. A prompt whose flow ends is taken away.
@MainActor @Observable
public final class PromptModel {
    /// The prompt to show; `nil` when no flow asks.
    public private(set) var pending: PendingPrompt?

    /// The provider of the password, which asks through this model.
    public nonisolated var provider: any PasswordProvider { queue }

    private nonisolated let queue: PromptQueue

    /// Creates a model without a prompt.
    ///
    /// - Parameter time: The clock for the wait for a reader.
    public init(time: any TimeSource = SystemTimeSource()) {
        let queue = PromptQueue(time: time)
        self.queue = queue
        Task { [weak self] in
            // Another reader is impossible, and a queue that is closed has no next prompt.
            while let pending = try? await queue.next() {
                self?.pending = pending
                await pending.end()
                self?.hide(pending)
            }
        }
    }

    deinit { queue.close() }

    /// Answers a prompt.
    ///
    /// - Parameters:
    ///   - pending: The prompt that the user saw. It is an argument because the next prompt may be shown already.
    ///   - input: The input of the user.
    /// - Returns: Whether the flow gets the input. `false` for a prompt that is over or of another model; nothing
    ///   changes then.
    @discardableResult
    public func answer(_ pending: PendingPrompt, with input: UserInput) -> Bool {
        guard pending === self.pending, pending.answer(input) else { return false }
        hide(pending)
        return true
    }

    /// Cancels a prompt for the user. The flow ends with `.aborted` (`canceled`).
    ///
    /// - Parameter pending: The prompt that the user saw.
    /// - Returns: Whether the flow ends by this call. `false` for a prompt that is over or of another model.
    @discardableResult
    public func cancel(_ pending: PendingPrompt) -> Bool {
        guard pending === self.pending, pending.cancel() else { return false }
        hide(pending)
        return true
    }

    private func hide(_ pending: PendingPrompt) {
        if self.pending === pending { self.pending = nil }
    }
}
