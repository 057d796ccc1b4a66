import Orchestration
import OrchestrationTesting
import Testing

/// The model of the article "Asking the user", which a view shows, without the view.
@MainActor @Suite(.timeLimit(.minutes(20))) struct KeypadExampleTests {
    /// An app with the model as its provider, on a platform of the test kit.
    private func app(_ model: KeypadModel, on platform: TestPlatform) async throws -> Orchestrator {
        var configuration = Configuration(
            salts: try Salts(authenticator: Array(repeating: 1, count: 16), storage: Array(repeating: 2, count: 16)))
        configuration.passwordCost = .testing
        return try await Orchestrator(
            configuration: configuration, transport: platform.transport, providers: [model], store: MemoryStore(),
            time: platform.time)
    }

    /// Waits for a prompt and types digits on the keys that show them.
    private func type(_ digits: String, for purpose: Prompt.Purpose, on model: KeypadModel) async throws {
        while model.prompt?.purpose != purpose { try await Task.sleep(for: .milliseconds(1)) }
        for digit in digits {
            model.press(.place(try #require(model.digits.firstIndex(of: digit.wholeNumberValue ?? -1))))
        }
        model.press(.done)
    }

    @Test func `a device is activated with passwords of the keypad`() async throws {
        let model = KeypadModel(texts: .german)
        let platform = try await TestPlatform()
        let app = try await app(model, on: platform)
        let code = try await platform.register("alice")
        async let user = app.user("alice").activate(with: code)
        try await type("482", for: .enroll, on: model)
        #expect(model.message == "Das Passwort ist zu kurz. Bitte geben Sie mindestens 6 Zeichen ein.")
        #expect(model.mask == "■■■□□□□□□□□□")
        try await type("915", for: .enroll, on: model)
        try await type("482915", for: .confirm, on: model)
        #expect(try await user.account.userID == "alice")
        #expect(model.prompt == nil && model.digits.isEmpty && model.mask.isEmpty)
    }

    @Test func `cancel and the end of the task end the question`() async throws {
        let model = KeypadModel()
        let prompt = Prompt(purpose: .authenticate, method: .password, account: "a@b", policy: .default)
        let first = Task { try await model.authenticate(prompt) }
        while model.prompt == nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(await model.availability() == .unavailable)
        await #expect(throws: OrchestrationError(.providerUnavailable)) { try await model.authenticate(prompt) }
        model.press(.cancel)
        await #expect(throws: UserAuthenticationError.aborted) { try await first.value }
        let second = Task { try await model.authenticate(prompt) }
        while model.prompt == nil { try await Task.sleep(for: .milliseconds(1)) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(await model.availability() == .available)
    }

    @Test func `a faulty translation is named`() throws {
        #expect(throws: PromptCatalogError.self) { try readCatalog(["orch_pinpad_error_weak": "Zu einfach"]) }
        #expect(try readCatalog(PromptCatalog.german.translation) == .german)
    }
}
