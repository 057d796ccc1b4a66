import Orchestration

/// The loop of the article "Flows".
func watch(orchestrator: Orchestrator, activationPassword: String, show: (FlowEvent) -> Void) async throws {
    for try await event in orchestrator.activate("alice", with: activationPassword) {
        show(event)
    }
    try Task.checkCancellation()
}

/// The change of a password of the same article.
func changePassword(orchestrator: Orchestrator, show: (String) -> Void) async throws {
    for try await event in orchestrator.changePassword(of: "alice") {
        switch event {
        case .stepCompleted(let step): show("\(step.number) of \(step.total)")
        case .inputRejected(let rejection): show(PromptCatalog.default.text(for: rejection))
        case .warning(let warning): show(PromptCatalog.default.text(for: warning))
        case .succeeded: show("The password is changed.")
        case .aborted(let error): show(error.userMessage())
        default: break
        }
    }
}

/// The unlock of the same article.
func unlock(orchestrator: Orchestrator, unlockCode: String, show: (String) -> Void) async throws {
    do {
        try await orchestrator.user("alice").unlock(with: unlockCode)
        show("The device is unlocked.")
    } catch let error as OrchestrationError {
        show(error.userMessage())
    }
}
