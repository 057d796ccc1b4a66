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

/// The loop over the requests of a user in the article "Approve logins and payments".
func answerAll(of alice: UserHandle, screen: some ApprovalScreen) async throws {
    for try await request in alice.approvalRequests() {
        let answer =
            switch await screen.decision(about: request) {
            case .approve(let number): try await request.approve(number: number)
            case .reject(let reason): try await request.reject(reason)
            }
        screen.show("\(answer.decision)")
    }
}

/// The loop over a flow in the same article.
func approve(
    orchestrator: Orchestrator, pointer: OrchestrationCommand, screen: some ApprovalScreen, texts: PromptCatalog
) async throws {
    for try await event in orchestrator.execute(pointer) {
        switch event {
        case .approvalRequired(let request):
            switch await screen.decision(about: request) {
            case .approve(let number): try await request.approve(number: number)
            case .reject(let reason): try await request.reject(reason)
            }
        case .succeeded(.approvalAnswered(let approval)): screen.show("\(approval.decision)")
        case .outdated(let error), .aborted(let error): screen.show(error.userMessage(in: texts))
        default: break
        }
    }
}

/// The rejection of the same article by a user who reports an attack.
func reportAttack(_ request: ApprovalRequest) async throws {
    try await request.reject(.notMe, by: .password)
}
