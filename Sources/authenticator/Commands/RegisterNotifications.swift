import ArgumentParser
import Orchestration

/// `register-notifications USER`.
struct RegisterNotifications: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Register the platform's own notification channel, which finishes an activation.")

    @OptionGroup var who: UserArgument
    @OptionGroup var options: GlobalOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator()
        let outcome = try await FlowReport.follow(orchestrator.registerNotifications(.init(user: who.user)))
        guard let user = outcome.user else { return }
        if options.json {
            print(try JSONReport.text(UserReport(user)))
        } else {
            print("Notifications are registered for \(user.account.text).")
        }
    }
}
