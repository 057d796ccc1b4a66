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
let users = try await orchestrator.users.list()
guard users.isEmpty else { throw OrchestrationError(.unexpected) }
print("adopter: built with `import Orchestration` alone")
