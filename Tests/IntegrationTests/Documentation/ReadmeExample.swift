import Orchestration
import OrchestrationHTTP

/// The program of the README.
func readmeExample() async throws {
    let orchestrator = try await Orchestrator(
        configuration: Configuration(app: "com.example.bank"), transport: HTTPTransport("http://127.0.0.1:8080"),
        providers: [TerminalPasswordProvider()], store: FileStore(directory: "store"))
    let alice = orchestrator.user("alice")
    if try await !alice.isActivated {
        print("Activation password:")
        try await alice.activate(with: readLine() ?? "")
    }
    print("One-time password:", try await alice.oneTimePassword().oneTimePassword)
    // Every login and payment that waits for alice on this device, until the program ends.
    for try await request in alice.approvalRequests() {
        for line in [request.principal.displayed] + request.lines.map(\.displayed) { print(line) }
        print(request.digits > 0 ? "Type the number of the site, or no:" : "Type yes or no:")
        let typed = readLine() ?? "no"
        let number = request.digits > 0 && typed != "no" ? typed : nil
        do {
            let approves = number != nil || typed == "yes"
            let answer = try await approves ? request.approve(number: number) : request.reject(.canceled)
            print("\(answer.decision): \(answer.receipt)")
        } catch { print("failed: \(error)") }
    }
}
