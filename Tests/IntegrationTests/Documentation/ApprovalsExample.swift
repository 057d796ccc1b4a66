import Orchestration

/// A screen of an app that shows an approval request until the user decides.
protocol ApprovalScreen {
    func decision(about request: ApprovalRequest) async -> UserDecision
    func show(_ text: String)
}

/// What a user decides on a screen.
enum UserDecision {
    case approve(number: String?)
    case reject(RejectionReason)
}

/// The loop of the article "Approve logins and payments".
func approve(
    orchestrator: Orchestrator, pointer: OrchestrationCommand, screen: some ApprovalScreen, texts: PromptCatalog
) async throws {
    for try await event in orchestrator.execute(pointer) {
        switch event {
        case .approvalRequired(let request):
            switch await screen.decision(about: request) {
            case .approve(let number): try request.approve(number: number)
            case .reject(let reason): try request.reject(reason: reason)
            }
        case .succeeded(.approvalAnswered(let approval)): screen.show("\(approval.decision)")
        case .outdated(let error), .aborted(let error): screen.show(error.userMessage(in: texts))
        default: break
        }
    }
}

/// The rejection of the same article by a user who reports an attack.
func reportAttack(_ request: ApprovalRequest) throws {
    try request.reject(reason: .notMe, by: .password)
}
