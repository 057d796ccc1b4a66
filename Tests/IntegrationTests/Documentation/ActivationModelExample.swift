import Observation
import Orchestration

// The model of the article "Asking the user".

/// The screen that activates a device.
@MainActor @Observable
final class ActivationModel {
    /// The questions for the new password, whose provider the orchestrator has.
    let prompts = PromptModel()
    var activationPassword = ""
    var password = ""
    private(set) var progress = 0.0
    private(set) var message = ""
    private(set) var isBusy = false
    private(set) var isActivated = false

    func activate(_ user: String, on orchestrator: Orchestrator) async {
        guard !isBusy else { return }
        (isBusy, message) = (true, "")
        defer { isBusy = false }
        do {
            for try await event in orchestrator.activate(user, with: activationPassword) {
                switch event {
                case .stepCompleted(let step): progress = Double(step.number) / Double(step.total)
                case .succeeded: isActivated = true
                case .aborted(let error), .outdated(let error): message = error.userMessage()
                default: break
                }
            }
        } catch {
            message = (error as? OrchestrationError)?.userMessage() ?? ""
        }
    }

    /// Answers the question on the screen.
    func answer() {
        guard let pending = prompts.pending else { return }
        prompts.answer(pending, with: UserInput(SecretBytes(copying: password.utf8)))
        password = ""
    }
}
