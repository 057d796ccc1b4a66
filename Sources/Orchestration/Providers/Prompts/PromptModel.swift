public import Observation
public import Primitives

/// The prompts of flows for a view: the current one, as a value that SwiftUI and other observers follow.
///
/// Give ``provider`` to the orchestrator, and show ``pending`` while it is not `nil`:
///
/// ```swift
/// let prompts = PromptModel()
/// let orchestrator = try await Orchestrator(…, providers: [prompts.provider], …)
/// ```
///
/// Keep the model as long as the orchestrator. When it is released, open and later prompts end with `promptUnanswered`.
/// A prompt whose flow ends is removed.
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
            // There can be no other reader, and a closed queue has no next prompt.
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
    /// - Returns: Whether the flow gets the input. `false` for a prompt that has ended or belongs to another model; the
    ///   call then has no effect.
    @discardableResult
    public func answer(_ pending: PendingPrompt, with input: UserInput) -> Bool {
        guard pending === self.pending, pending.answer(input) else { return false }
        hide(pending)
        return true
    }

    /// Cancels a prompt for the user. The flow ends with `.aborted` (`canceled`).
    ///
    /// - Parameter pending: The prompt that the user saw.
    /// - Returns: Whether this call ends the flow. `false` for a prompt that has ended or belongs to another model.
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
