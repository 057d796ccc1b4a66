import Observation
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

/// The prompts of flows for a view, without the view.
@MainActor @Suite(.timeLimit(.minutes(20))) struct PromptModelTests {
    private let stage: Stage

    init() async throws {
        stage = try await Stage()
        try await stage.activate()
    }

    /// Starts a flow that asks for the password.
    private func makeCode(_ provider: any UserAuthenticationProvider) throws -> Task<Void, any Error> {
        let orchestrator = try stage.orchestrator(providers: [provider])
        return Task { _ = try await orchestrator.user("alice").oneTimePassword() }
    }

    /// Waits for a prompt other than the one before.
    private func prompt(of model: PromptModel, after last: PendingPrompt? = nil) async throws -> PendingPrompt {
        while true {
            if let pending = model.pending, pending !== last { return pending }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func input(_ text: String) -> UserInput { UserInput(SecretBytes(copying: text.utf8)) }

    @Test func `a view sees the prompts of a flow, with the reason for the second one`() async throws {
        let model = PromptModel()
        let flow = try makeCode(model.provider)
        let first = try await prompt(of: model)
        #expect(first.prompt.rejection == nil)
        #expect(model.answer(first, with: input("4829")))
        let second = try await prompt(of: model, after: first)
        #expect(second.prompt.rejection == .unsuitable(.tooShort(minimum: 6)))
        #expect(model.answer(second, with: input(Stage.password)))
        #expect(model.pending == nil)
        try await flow.value
    }

    @Test func `a prompt is announced to observers`() async throws {
        let model = PromptModel()
        var flow: Task<Void, any Error>?
        await withCheckedContinuation { continuation in
            withObservationTracking {
                #expect(model.pending == nil)
            } onChange: {
                continuation.resume()
            }
            flow = try? makeCode(model.provider)
        }
        #expect(model.answer(try await prompt(of: model), with: input(Stage.password)))
        try await flow?.value
    }

    @Test func `cancel ends the flow for the user`() async throws {
        let model = PromptModel()
        let flow = try makeCode(model.provider)
        let pending = try await prompt(of: model)
        #expect(model.cancel(pending))
        #expect(model.pending == nil)
        #expect(!model.cancel(pending))
        let error = await #expect(throws: OrchestrationError.self) { try await flow.value }
        #expect(error?.code == .canceled)
    }

    @Test func `a canceled flow takes its prompt away`() async throws {
        let model = PromptModel()
        let flow = try makeCode(model.provider)
        let pending = try await prompt(of: model)
        flow.cancel()
        while model.pending != nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(!model.answer(pending, with: input(Stage.password)))
        await #expect(throws: CancellationError.self) { try await flow.value }
    }

    @Test func `an answer to another prompt changes nothing`() async throws {
        let (model, other) = (PromptModel(), PromptModel())
        let flow = try makeCode(model.provider)
        let first = try await prompt(of: model)
        #expect(!other.answer(first, with: input(Stage.password)))
        #expect(!other.cancel(first))
        #expect(first.isOpen)
        #expect(model.answer(first, with: input("4829")))
        // A second tap on the key of the first prompt does not answer the second prompt.
        let second = try await prompt(of: model, after: first)
        #expect(!model.answer(first, with: input(Stage.password)))
        #expect(!model.cancel(first))
        #expect(model.pending === second && second.isOpen)
        #expect(model.cancel(second))
        await #expect(throws: OrchestrationError(.canceled)) { try await flow.value }
    }

    @Test func `a model that is released while its prompt is open ends the flow`() async throws {
        var model: PromptModel? = PromptModel()
        let flow = try makeCode(try #require(model?.provider))
        while model?.pending == nil { try await Task.sleep(for: .milliseconds(1)) }
        let pending = model?.pending
        weak let released = model
        model = nil
        #expect(released == nil)
        #expect(pending?.isOpen == false)
        await #expect(throws: OrchestrationError(.promptUnanswered)) { try await flow.value }
    }

    @Test func `the provider of a model that was released asks nothing`() async throws {
        let provider = PromptModel().provider
        let flow = try makeCode(provider)
        await #expect(throws: OrchestrationError(.promptUnanswered)) { try await flow.value }
    }
}
