import ArgumentParser
import CommandLine
import Orchestration

/// `enroll USER METHOD`.
struct EnrollMethod: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll",
        abstract: "Enroll biometric or face for a user on this device, with software keys.",
        discussion: """
            This program checks no finger and no face. Its keys are files beside the store, and it says so to the platform: \
            the method counts as possession, unless the policy of the platform names software providers.
            """)

    @OptionGroup var argument: UserArgument

    @Argument(help: "biometric or face.")
    var method: EnrollableMethod

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password, enrolling: true)
        let flow = orchestrator.enroll(method.method, for: argument.user)
        guard case .methodEnrolled(let user) = try await FlowReport.follow(flow) else { return }
        try StandardStream.output.print(
            UserReport(user), asJSON: options.json,
            else: "\(user.account.text) has enrolled \(method.rawValue), without a check of a person.")
    }
}
