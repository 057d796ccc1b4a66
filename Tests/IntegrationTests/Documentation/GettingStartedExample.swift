import Foundation
import Orchestration
import OrchestrationHTTP

/// The program of the article "Getting started".
func gettingStartedExample() async throws {
    let salts = try Salts(
        authenticator: "2e0f5d1c9a7b4863b8d2f06e5a31c794d7e84b02f96a1c53805b3de7c6149fa2",
        storage: "c81a6f3e07d5429bb4e90d2c7f6158a31b9c5e7f0a2d4836e6f1a9b07c3d52e4")
    guard let endpoint = URL(string: "http://127.0.0.1:8080") else { exit(2) }
    let orchestrator = try await Orchestrator(
        configuration: Configuration(salts: salts),
        transport: try HTTPTransport(endpoint: endpoint),
        providers: [TerminalPasswordProvider()],
        store: try FileStore(directory: "store"))

    if try await orchestrator.users.list().isEmpty {
        FileHandle.standardOutput.write(Data("Activation password: ".utf8))
        guard let activationPassword = readLine() else { exit(2) }

        for try await event in orchestrator.activate(.init(user: "alice", activationPassword: activationPassword)) {
            switch event {
            case .stepCompleted(let step): print("step \(step.number) of \(step.total)")
            case .inputRejected(let rejection): print("try another password: \(rejection)")
            case .succeeded: print("activated")
            case .aborted(let error), .outdated(let error): print(error.userMessage())
            case .oneTimePasswordReady, .signatureReady, .approvalRequired, .enrollmentProgressed,
                .warning:
                break
            @unknown default: break
            }
        }
        try await orchestrator.notificationRegistration(for: .init(user: "alice"))
    }

    for try await event in orchestrator.authenticateLocally(.init(user: "alice", protection: .password)) {
        if case .oneTimePasswordReady(let result) = event { print("one-time password: \(result.oneTimePassword)") }
    }
}
