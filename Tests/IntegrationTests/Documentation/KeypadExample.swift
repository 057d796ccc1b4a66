import Observation
import Orchestration

/// The model of the article "Asking the user".
@MainActor @Observable
final class KeypadModel: PasswordProvider {
    private(set) var prompt: Prompt?
    private(set) var digits: [Int] = []
    private(set) var count = 0
    private(set) var mask = ""
    private(set) var message: String?

    @ObservationIgnored private var keypad: Keypad?
    @ObservationIgnored private var answer: CheckedContinuation<UserInput, any Error>?
    @ObservationIgnored private let texts: PromptCatalog

    init(texts: PromptCatalog = .default) { self.texts = texts }

    nonisolated var method: AuthenticationMethod { .password }

    @MainActor func availability() async -> Availability { answer == nil ? .available : .unavailable }

    @MainActor func authenticate(_ prompt: Prompt) async throws -> UserInput {
        guard answer == nil, let policy = prompt.policy else { throw OrchestrationError(.providerUnavailable) }
        try open(Keypad(policy: policy), for: prompt)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer = continuation
                if Task.isCancelled { finish(.failure(CancellationError())) }
            }
        } onCancel: {
            Task { @MainActor in finish(.failure(CancellationError())) }
        }
    }

    func press(_ key: Keypad.Key) {
        guard let action = keypad?.press(key) else { return }
        message = nil
        switch action {
        case .changed, .ignored: show()
        case .refused(let fault): message = texts.text(for: .unsuitable(fault))
        case .completed:
            if let input = keypad?.takeInput() { finish(.success(input)) }
        case .canceled: finish(.failure(UserAuthenticationError.aborted))
        }
    }

    private func open(_ keypad: consuming Keypad, for prompt: Prompt) {
        digits = keypad.layout.digits
        message = prompt.rejectionText
        self.keypad = consume keypad
        self.prompt = prompt
        show()
    }

    private func show() {
        count = keypad?.count ?? 0
        mask = keypad?.mask() ?? ""
    }

    private func finish(_ result: Result<UserInput, any Error>) {
        keypad = nil
        (prompt, digits, message) = (nil, [], nil)
        show()
        answer?.resume(with: result)
        answer = nil
    }
}

/// The orchestrator with a keypad at a terminal, of the same article.
func makeOrchestrator(
    configuration: Configuration, transport: any Transport, store: any SecureStore
) async throws -> Orchestrator {
    try await Orchestrator(
        configuration: configuration, transport: transport,
        providers: [TerminalKeypadProvider(texts: .german)], store: store)
}

/// The translation of the same article.
func readCatalog(_ translation: [String: String]) throws -> PromptCatalog {
    do throws(PromptCatalogError) {
        return try PromptCatalog(translation: translation)
    } catch {
        print("\(error.key): \(error.message)")
        throw error
    }
}
