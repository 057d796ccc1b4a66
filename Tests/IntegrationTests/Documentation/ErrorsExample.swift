import Orchestration

/// A screen of an app that shows a failure.
@MainActor
protocol FailureScreen {
    func show(_ text: String)
    func showWordsOfTheSite(_ text: String)
    func offerToTryAgain()
    func offerToTryAgain(after duration: Duration)
    func offerActivation()
    func offerToUnlock()
    func offerUpdate()
    func showSupport(number: Int)
}

/// The treatment of a failure of the article "Errors and warnings".
@MainActor
func handle(_ error: OrchestrationError, texts: PromptCatalog, screen: some FailureScreen) {
    screen.show(error.userMessage(in: texts))
    if let notice = error.notice?.displayed { screen.showWordsOfTheSite(notice) }
    switch error.recovery {
    case .tryAgain: screen.offerToTryAgain()
    case .wait(let duration): screen.offerToTryAgain(after: duration ?? .seconds(60))
    case .activateAgain: screen.offerActivation()
    case .unlock: screen.offerToUnlock()
    case .updateApp: screen.offerUpdate()
    case .contact, .faultOfTheApp: screen.showSupport(number: error.number)
    case .nothing: break
    @unknown default: screen.showSupport(number: error.number)
    }
}
