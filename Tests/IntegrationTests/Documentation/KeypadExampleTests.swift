import Foundation
import Orchestration
import OrchestrationTesting
import Testing

/// The models of the article "Asking the user", which views show, without the views.
@MainActor @Suite(.timeLimit(.minutes(20))) struct KeypadExampleTests {
    private func configuration() throws -> Configuration {
        var configuration = Configuration(
            salts: try Salts(authenticator: Array(repeating: 1, count: 16), storage: Array(repeating: 2, count: 16)))
        configuration.passwordCost = .testing
        return configuration
    }

    /// Waits for a prompt, and returns its keypad.
    private func keypad(for purpose: Prompt.Purpose, of prompts: PromptModel) async throws -> KeypadModel {
        while prompts.pending?.prompt.purpose != purpose { try await Task.sleep(for: .milliseconds(1)) }
        return try KeypadModel(try #require(prompts.pending), of: prompts, texts: .german)
    }

    /// Types digits on the keys that show them.
    private func type(_ digits: String, on model: KeypadModel) throws {
        for digit in digits {
            model.press(.place(try #require(model.digits.firstIndex(of: digit.wholeNumberValue ?? -1))))
        }
        model.press(.done)
    }

    @Test func `a device is activated with passwords of the keypad`() async throws {
        let platform = try await TestPlatform()
        let (app, prompts) = try await makeOrchestratorWithPrompts(
            configuration: configuration(), transport: platform.transport, store: MemoryStore())
        let code = try await platform.register("alice")
        async let user = app.user("alice").activate(with: code)
        let first = try await keypad(for: .enroll, of: prompts)
        try type("482", on: first)
        #expect(first.message == "Das Passwort ist zu kurz. Bitte geben Sie mindestens 6 Zeichen ein.")
        #expect(first.mask == "■■■□□□□□□□□□")
        try type("915", on: first)
        #expect(first.count == 0)
        try await type("482915", on: keypad(for: .confirm, of: prompts))
        #expect(try await user.account.userID == "alice")
        #expect(prompts.pending == nil)
    }

    @Test func `cancel and the end of the task end the question`() async throws {
        let prompts = PromptModel()
        let prompt = Prompt(purpose: .authenticate, method: .password, account: "a@b", policy: .default)
        let provider = prompts.provider
        let first = Task { try await provider.authenticate(prompt) }
        let model = try await keypad(for: .authenticate, of: prompts)
        model.press(.cancel)
        await #expect(throws: UserAuthenticationError.aborted) { try await first.value }
        let second = Task { try await provider.authenticate(prompt) }
        let late = try await keypad(for: .authenticate, of: prompts)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        try type("482915", on: late)
        #expect(!late.pending.isOpen)
    }

    @Test func `a password of other characters has no keypad`() async throws {
        let prompts = PromptModel()
        let prompt = Prompt(purpose: .authenticate, method: .password, account: "a@b")
        let flow = Task { [provider = prompts.provider] in try await provider.authenticate(prompt) }
        await #expect(throws: OrchestrationError(.providerUnavailable)) {
            _ = try await keypad(for: .authenticate, of: prompts)
        }
        flow.cancel()
        await #expect(throws: CancellationError.self) { try await flow.value }
    }

    @Test func `the reader of a queue answers and cancels`() async throws {
        let queue = PromptQueue()
        let reader = Task {
            try await answerPrompts(of: queue) { $0.account == "a@b" ? "482915" : nil }
        }
        let known = Prompt(purpose: .authenticate, method: .password, account: "a@b")
        let unknown = Prompt(purpose: .authenticate, method: .password, account: "c@b")
        _ = try await queue.authenticate(known)
        await #expect(throws: UserAuthenticationError.aborted) { try await queue.authenticate(unknown) }
        reader.cancel()
        _ = await reader.result
    }

    @Test func `a faulty file of texts is named`() throws {
        #expect(throws: OrchestrationError(.invalidConfiguration)) {
            try readCatalog(Data(#"{"orch_pinpad_eror_weak": "Zu einfach"}"#.utf8))
        }
        #expect(try readCatalog(Data("{}".utf8)) == .german)
        #expect(try readCatalog(PromptCatalog.default.json) == PromptCatalog(json: PromptCatalog.default.json))
    }
}
