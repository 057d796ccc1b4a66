import Foundation
import Orchestration
import OrchestrationHTTP

/// The steps of the article "Getting started".
func makeAnOrchestrator(platform: URL, directory: String) async throws -> Orchestrator {
    let salts = try Salts(authenticator: Array("my-app.authenticator".utf8), storage: Array("my-app.storage.v1".utf8))
    let orchestrator = try await Orchestrator(
        configuration: Configuration(salts: salts),
        transport: try HTTPTransport(endpoint: platform),
        providers: [TerminalPasswordProvider()],
        store: try FileStore(directory: directory))
    return orchestrator
}

func activate(orchestrator: Orchestrator, code: String) async throws {
    for try await event in orchestrator.activate(.init(user: "alice", activationPassword: code)) {
        switch event {
        case .stepCompleted(let step): print(step)
        case .inputRejected(let rejection): print(rejection)
        case .succeeded: print("activated")
        case .aborted(let cause): print(cause)
        case .outdated(let reason): print(reason)
        case .oneTimePasswordReady, .warning: break
        }
    }
    try Task.checkCancellation()
}

func finish(orchestrator: Orchestrator) async throws {
    _ = try await orchestrator.registerNotifications(.init(user: "alice")).result()
    let outcome = try await orchestrator.authenticateLocally(.init(user: "alice", protection: .password)).result()
    print(outcome.oneTimePassword ?? "")
}
