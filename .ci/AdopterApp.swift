// An app for Linux that activates a device, listens for requests, approves them and changes the password.
import Foundation
import Orchestration
import OrchestrationHTTP

guard CommandLine.arguments.count == 3, let platform = URL(string: CommandLine.arguments[1]) else {
    fatalError("usage: app PLATFORM-URL STORE-FOLDER")
}
let orchestrator = try await Orchestrator(
    configuration: try Configuration(app: "com.example.adopter"),
    transport: try HTTPTransport(endpoint: platform),
    providers: [TerminalPasswordProvider()],
    store: try FileStore(directory: CommandLine.arguments[2]))

func ask(_ question: String) -> String {
    print(question)
    return readLine() ?? ""
}

/// Shows a request. The user types the number of the site to approve it, or nothing to reject it.
func decide(_ request: ApprovalRequest) async throws {
    print(request.lines.map(\.text).joined(separator: "\n"))
    let number = ask("Number of the site, or an empty line to reject:")
    if number.isEmpty { try await request.reject(.notMe) } else { try await request.approve(number: number) }
}

func show(_ flow: AsyncThrowingStream<FlowEvent, any Error>) async throws {
    for try await event in flow {
        switch event {
        case .approvalRequired(let request): try await decide(request)
        case .inputRejected(let rejection): print(PromptCatalog.default.text(for: rejection))
        case .warning(let warning): print(warning.message)
        case .succeeded(.approvalAnswered(let answer)): print("\(answer.decision), receipt \(answer.receipt)")
        case .succeeded: print("done")
        case .outdated(let error), .aborted(let error): print(error.userMessage())
        default: break
        }
    }
}

if try await orchestrator.users.list().isEmpty {
    let activationPassword = ask("Activation password:")
    try await show(orchestrator.activate("alice", with: activationPassword))
}
while true {
    switch ask("listen, change or quit:") {
    case "listen":
        for try await pointer in orchestrator.notifications(for: "alice") {
            try await show(orchestrator.execute(pointer))
            break
        }
    case "change": try await show(orchestrator.changePassword(of: "alice"))
    case "quit": exit(0)
    default: break
    }
}
