import Orchestration
import OrchestrationTesting
import Testing

/// The model of a screen in the article "Asking the user", without the view.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ActivationModelExampleTests {
    private let platform: TestPlatform
    private let model = ActivationModel()
    private let app: Orchestrator

    init() async throws {
        platform = try await TestPlatform()
        app = try await TestDevice(seed: 1, time: platform.time)
            .orchestrator(transport: platform.transport, user: model.prompts.provider)
    }

    /// Waits for a question, and types the answer.
    private func type(_ password: String) async throws -> Prompt {
        while model.prompts.pending == nil { try await Task.sleep(for: .milliseconds(1)) }
        let prompt = try #require(model.prompts.pending).prompt
        model.password = password
        model.answer()
        #expect(model.password.isEmpty)
        return prompt
    }

    @Test func `the user corrects the activation password, and chooses a password`() async throws {
        let activationPassword = try await platform.register("alice")
        model.activationPassword = "ABCD"
        await model.activate("alice", on: app)
        #expect(!model.message.isEmpty && !model.isActivated && !model.isBusy && model.progress == 0)
        model.activationPassword = activationPassword
        let activation = Task { await model.activate("alice", on: app) }
        #expect(try await type("111111").policyText == "6-12 digits")
        #expect(model.isBusy && model.message.isEmpty && model.progress == 0.5)
        await model.activate("alice", on: app)
        #expect(try await type("482915").rejectionText != nil)
        #expect(try await type("482915").purpose == .confirm)
        await activation.value
        #expect(model.isActivated && !model.isBusy && model.progress == 1 && model.message.isEmpty)
        #expect(try await app.user("alice").isActivated)
    }

    @Test func `a user who cancels at the question sees it, and starts again`() async throws {
        model.activationPassword = try await platform.register("alice")
        let canceled = Task { await model.activate("alice", on: app) }
        while model.prompts.pending == nil { try await Task.sleep(for: .milliseconds(1)) }
        model.prompts.cancel(try #require(model.prompts.pending))
        await canceled.value
        #expect(model.message == "Canceled." && !model.isActivated && !model.isBusy)
        let activation = Task { await model.activate("alice", on: app) }
        _ = try await type("482915")
        _ = try await type("482915")
        await activation.value
        #expect(model.isActivated)
    }
}
