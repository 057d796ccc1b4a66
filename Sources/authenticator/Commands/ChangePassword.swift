import ArgumentParser
import CommandLine
import Orchestration

/// `change-password USER`.
struct ChangePassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change the password of a user on this device.",
        discussion: """
            Asks for the current password and for a new one. With --password-fd, the first line is the current password \
            and the second line is the new one. Until the new password is stored, the current one is valid; from then \
            on, the new one. An interrupted change can be repeated.
            """)

    @OptionGroup var argument: UserArgument
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        let flow = orchestrator.changePassword(of: argument.user)
        guard case .passwordChanged(let user) = try await FlowReport.follow(flow) else { return }
        try StandardStream.output.print(
            UserReport(user), asJSON: options.json, else: "The password of \(user.account.text) is changed.")
    }
}
