import Foundation
import Observation
import Orchestration

// The models and functions of the article "Asking the user".

/// The keypad of one prompt.
@MainActor @Observable
final class KeypadModel {
    let pending: PendingPrompt
    private(set) var digits: [Int] = []
    private(set) var count = 0
    private(set) var mask = ""
    private(set) var message: String?

    @ObservationIgnored private var keypad: Keypad?
    private let prompts: PromptModel
    private let texts: PromptCatalog

    init(_ pending: PendingPrompt, of prompts: PromptModel, texts: PromptCatalog = .default) throws {
        (self.pending, self.prompts, self.texts) = (pending, prompts, texts)
        guard let policy = pending.prompt.policy else { throw OrchestrationError(.providerUnavailable) }
        let keypad = try Keypad(policy: policy)
        digits = keypad.digits
        message = pending.prompt.rejectionText
        self.keypad = consume keypad
        show()
    }

    func press(_ key: Keypad.Key) {
        guard let action = keypad?.press(key) else { return }
        message = nil
        switch action {
        case .changed, .ignored: break
        case .refused(let fault): message = texts.text(for: .unsuitable(fault))
        case .completed:
            if let input = keypad?.takeInput() { prompts.answer(pending, with: input) }
        case .canceled: prompts.cancel(pending)
        }
        show()
    }

    private func show() {
        count = keypad?.count ?? 0
        mask = keypad?.mask() ?? ""
    }
}

/// The orchestrator with a model of prompts.
@MainActor func makeOrchestratorWithPrompts(
    configuration: Configuration, transport: any Transport, store: any SecureStore
) async throws -> (Orchestrator, PromptModel) {
    let prompts = PromptModel()
    let orchestrator = try await Orchestrator(
        configuration: configuration, transport: transport, providers: [prompts.provider], store: store)
    return (orchestrator, prompts)
}

/// The reader of a queue of prompts.
func answerPrompts(of queue: PromptQueue, ask: @Sendable (Prompt) async -> String?) async throws {
    for try await pending in queue.prompts {
        if let text = await ask(pending.prompt) {
            pending.answer(UserInput(SecretBytes(copying: text.utf8)))
        } else {
            pending.cancel()
        }
    }
}

/// The orchestrator with a keypad at a terminal.
func makeOrchestrator(
    configuration: Configuration, transport: any Transport, store: any SecureStore
) async throws -> Orchestrator {
    try await Orchestrator(
        configuration: configuration, transport: transport,
        providers: [TerminalKeypadProvider(texts: .german)], store: store)
}

/// The file of texts.
func readCatalog(_ json: Data) throws -> PromptCatalog {
    do throws(OrchestrationError) {
        return try PromptCatalog(json: json, over: .german)
    } catch {
        print(error.message)
        throw error
    }
}
