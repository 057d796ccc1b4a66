import Foundation
import Orchestration
import OrchestrationHTTP

/// The program of the README.
func readmeExample() async throws {
    let salts = try Salts(
        authenticator: "2e0f5d1c9a7b4863b8d2f06e5a31c794d7e84b02f96a1c53805b3de7c6149fa2",
        storage: "c81a6f3e07d5429bb4e90d2c7f6158a31b9c5e7f0a2d4836e6f1a9b07c3d52e4")
    guard let endpoint = URL(string: "http://127.0.0.1:8080") else { exit(2) }
    let orchestrator = try await Orchestrator(
        configuration: Configuration(salts: salts),
        transport: try HTTPTransport(endpoint: endpoint),
        providers: [TerminalPasswordProvider()],
        store: try FileStore(directory: "store"))

    // Every login and payment that waits for the user of this device, until the program ends.
    for try await pointer in orchestrator.notifications(for: "alice") {
        for try await event in orchestrator.execute(pointer) {
            switch event {
            case .approvalRequired(let request):
                print(request.lines.map(\.displayed).joined(separator: "\n"))
                print(request.digits > 0 ? "Type the number of the site, or reject:" : "Type approve or reject:")
                let typed = readLine() ?? "reject"
                if typed == "reject" {
                    try request.reject(reason: .notMe)
                } else {
                    try request.approve(number: request.digits > 0 ? typed : nil)
                }
            case .succeeded(.approvalAnswered(let answer)): print("\(answer.decision): \(answer.receipt)")
            case .inputRejected(let rejection): print("try again: \(rejection)")
            case .outdated(let error), .aborted(let error): print(error.userMessage())
            default: break
            }
        }
    }
}
