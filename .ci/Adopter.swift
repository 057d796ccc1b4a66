// An app that an adopter must be able to write with `import Orchestration` alone and `traits: []`.
import Orchestration

struct Courier: Transport {
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        // An app can send the text through its own server and gets a text back.
        try OrchestrationCommand(text: command.text)
    }
}

struct FixedPassword: PasswordProvider {
    func availability() async -> Availability { .available }
    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        UserInput(SecretBytes(copying: Array("305172".utf8)))
    }
}

/// Enums that will grow need an `@unknown default` outside of the package.
func words(for event: FlowEvent) -> String {
    switch event {
    case .stepCompleted(let step): "\(step)"
    case .inputRejected(let rejection): PromptCatalog.default.text(for: rejection)
    case .oneTimePasswordReady(let result): result.oneTimePassword
    case .signatureReady(let result): result.signature
    case .approvalRequired(let request): request.lines.map(\.text).joined(separator: "\n")
    case .enrollmentProgressed(let step): "\(step)"
    case .warning(let warning): warning.message
    case .succeeded: "done"
    case .outdated(let error), .aborted(let error): error.userMessage()
    @unknown default: ""
    }
}

/// Handles an approval that has arrived at the app as a pointer: a login is approved with the number that the user read at
/// the site, and a payment is rejected.
func answer(_ pointer: OrchestrationCommand, number: String?, on orchestrator: Orchestrator) async throws -> Receipt? {
    for try await event in orchestrator.execute(pointer) {
        switch event {
        case .approvalRequired(let request) where request.timeLeft > .zero:
            let amounts = request.display.fields.compactMap { if case .amount(let amount) = $0 { amount } else { nil } }
            if amounts.isEmpty {
                try await request.approve(number: request.digits > 0 ? number : nil)
            } else {
                try await request.reject(.notMe)
            }
        case .succeeded(.approvalAnswered(let approval)): return approval.receipt
        default: print(words(for: event))
        }
    }
    return nil
}

/// Starts the app with a transport, a provider and a store, and opens a pointer to a tenant that no user here has.
func runAlone() async throws {
    let orchestrator = try await Orchestrator(
        configuration: Configuration(app: "com.example.adopter"), transport: Courier(), providers: [FixedPassword()],
        store: MemoryStore())
    let pointer = try OrchestrationCommand(
        bytes: [0x83, 0x06, 0x48] + Array(repeating: 1, count: 8) + [0x50] + Array(repeating: 2, count: 16))
    guard try await answer(pointer, number: nil, on: orchestrator) == nil else {
        throw OrchestrationError(.unexpected)
    }
    guard try await orchestrator.users.list().isEmpty else { throw OrchestrationError(.unexpected) }
}
