// A program that an adopter must be able to write with `import Orchestration` alone and `traits: []`.
import Orchestration

struct Courier: Transport {
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        // An app can send the text through its own server and gets a text back.
        try OrchestrationCommand(text: command.text)
    }
}

struct FixedPassword: UserAuthenticationProvider {
    var method: AuthenticationMethod { .password }
    func availability() async -> Availability { .available }
    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        UserInput(SecretBytes(copying: Array("305172".utf8)))
    }
}

let salts = try Salts(authenticator: Array("adopter.authenticator".utf8), storage: Array("adopter.storage.v1".utf8))
let orchestrator = try await Orchestrator(
    configuration: .init(salts: salts),
    transport: Courier(),
    providers: [FixedPassword()],
    store: MemoryStore())

/// Enums that will grow need an `@unknown default` outside of the package.
func words(for event: FlowEvent) -> String {
    switch event {
    case .stepCompleted(let step): "\(step)"
    case .inputRejected(let rejection): PromptCatalog.default[rejection.textKey]
    case .oneTimePasswordReady(let result): result.oneTimePassword
    case .signatureReady(let result): result.signature
    case .warning(let warning): warning.message
    case .succeeded: "done"
    case .outdated(let reason): PromptCatalog.default[reason.textKey]
    case .aborted(let cause): PromptCatalog.default[cause.textKey]
    @unknown default: ""
    }
}

let users = try await orchestrator.users.list()
guard users.isEmpty else { throw OrchestrationError(.unexpected) }
print("adopter: built with `import Orchestration` alone")
