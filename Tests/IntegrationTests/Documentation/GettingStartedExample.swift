import Orchestration
import OrchestrationHTTP

/// The program of the article "Getting started".
func gettingStartedExample() async throws {
    let orchestrator = try await Orchestrator(
        configuration: try Configuration(app: "com.example.bank"),
        transport: try HTTPTransport("http://127.0.0.1:8080"),
        providers: [TerminalPasswordProvider()],
        store: try FileStore(directory: "store"))
    let alice = orchestrator.user("alice")

    if try await !alice.isActivated {
        print("Activation password: ", terminator: "")
        let activationPassword = readLine() ?? ""

        for try await event in orchestrator.activate("alice", with: activationPassword) {
            switch event {
            case .stepCompleted(let step): print("step \(step.number) of \(step.total)")
            case .inputRejected(let rejection): print("try another password: \(rejection)")
            case .succeeded: print("activated")
            case .aborted(let error), .outdated(let error): print(error.userMessage())
            default: break
            }
        }
    }

    let code = try await alice.oneTimePassword()
    print("one-time password: \(code.oneTimePassword)")
}
