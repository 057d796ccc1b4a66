import Orchestration

/// The loop of the article "Flows".
func watch(orchestrator: Orchestrator, request: ActivationParameters, show: (FlowEvent) -> Void) async throws {
    for try await event in orchestrator.activate(request) {
        show(event)
    }
    try Task.checkCancellation()
}
