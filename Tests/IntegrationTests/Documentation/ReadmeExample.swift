import Foundation
import Orchestration
import OrchestrationHTTP

/// The program of the README.
func readmeExample(platform: URL, code: String) async throws {
    let salts = try Salts(authenticator: Array("my-app.authenticator".utf8), storage: Array("my-app.storage.v1".utf8))
    let orchestrator = try await Orchestrator(
        configuration: Configuration(salts: salts),
        transport: try HTTPTransport(endpoint: platform),
        providers: [TerminalPasswordProvider()],
        store: try FileStore(directory: "store"))

    for try await event in orchestrator.activate(.init(user: "alice", activationPassword: code)) {
        print(event)  // four steps, the password asked on the way, exactly one end
    }
    let outcome = try await orchestrator.authenticateLocally(.init(user: "alice", protection: .password)).result()
    print(outcome.oneTimePassword ?? "")
}
