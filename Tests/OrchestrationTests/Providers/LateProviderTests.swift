import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import Orchestration

/// A provider of the password that does not watch for the end of its flow.
@Suite struct LateProviderTests {
    @Test func `a canceled flow does not wait for a provider that does not return`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let provider = LateProvider()
        let orchestrator = try stage.orchestrator(providers: [provider])
        let task = Task { try await orchestrator.user("alice").oneTimePassword() }
        while !provider.isAsked { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // What it answers now has no effect, and the next flow asks again.
        let before = try await stage.contents()
        provider.answer(with: Stage.password)
        #expect(try await stage.contents() == before)
        let user = ScriptedUser(password: Stage.password)
        _ = try await stage.orchestrator(user: user).user("alice").oneTimePassword()
        #expect(user.prompts.count == 1)
    }

    @Test func `a canceled flow waits for a provider that ends its question`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let provider = LateProvider(isTidy: true)
        let orchestrator = try stage.orchestrator(providers: [provider])
        let task = Task { try await orchestrator.user("alice").oneTimePassword() }
        while !provider.isAsked { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(provider.hasEnded)
    }
}

/// A provider that returns when a test lets it, or a moment after its cancellation when it is tidy.
private final class LateProvider: PasswordProvider {
    private struct State {
        var question: CheckedContinuation<UserInput, any Error>?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let isTidy: Bool

    init(isTidy: Bool = false) {
        self.isTidy = isTidy
    }

    var isAsked: Bool { state.withLock { $0.question != nil } }
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { question in state.withLock { $0.question = question } }
        } onCancel: {
            guard isTidy else { return }
            Task {
                try await Task.sleep(for: .milliseconds(1))
                state.withLock { $0.hasEnded = true }
                state.withLock { $0.question.take() }?.resume(throwing: CancellationError())
            }
        }
    }

    func answer(with password: String) {
        let question = state.withLock { $0.question.take() }
        question?.resume(returning: UserInput(SecretBytes(copying: Array(password.utf8))))
    }
}
