import ArgumentParser
import CommandLine
import Orchestration

/// `register-notifications USER`.
struct RegisterNotifications: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Register the platform's own notification channel, which finishes an activation.")

    @OptionGroup var argument: UserArgument
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator()
        let flow = orchestrator.registerNotifications(for: argument.user)
        guard case .notificationsRegistered(let user) = try await FlowReport.follow(flow) else { return }
        if options.json {
            try StandardStream.output.print(json: UserReport(user))
        } else {
            StandardStream.output.print("Notifications are registered for \(user.account.text).")
        }
    }
}
