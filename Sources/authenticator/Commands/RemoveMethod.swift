import ArgumentParser
import CommandLine
import Orchestration

/// `remove-method USER METHOD`.
struct RemoveMethod: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove biometric or face of a user.",
        discussion: """
            The keys on this device are deleted first, also without a network. Then the platform is informed. With \
            --everywhere, the password is asked for, and the method ends on all devices of the user.
            """)

    @OptionGroup var argument: UserArgument

    @Argument(help: "biometric or face.")
    var method: EnrollableMethod

    @Flag(help: "Remove the method on all devices of the user.")
    var everywhere = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        let flow = orchestrator.remove(method.method, of: argument.user, everywhere: everywhere)
        guard case .methodRemoved(let user) = try await FlowReport.follow(flow) else { return }
        try StandardStream.output.print(
            UserReport(user), asJSON: options.json,
            else: "\(user.account.text) has removed \(method.rawValue)\(everywhere ? " on all devices" : "").")
    }
}
