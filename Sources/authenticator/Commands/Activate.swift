import ArgumentParser
import CommandLine
import Orchestration

/// `activate USER`.
struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Activate this device for a user, with the activation password of the site.",
        discussion: """
            Asks for the activation password and for a new password. An interrupted activation continues with the same \
            activation password, or without one (--resume) when the new password was chosen already. The activation \
            of the first user of a store keeps the address of the platform there, for later commands.
            """)

    @OptionGroup var argument: UserArgument

    @Option(help: ArgumentHelp("Read the activation password from this open descriptor.", valueName: "n"))
    var activationPasswordFd: Int32?

    @Flag(help: "Continue an activation that was interrupted after the new password was chosen.")
    var resume = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func validate() throws {
        guard !resume || activationPasswordFd == nil else {
            throw ValidationError("--resume needs no activation password; leave out --activation-password-fd")
        }
        try SecretInput.checkIsOpen(activationPasswordFd, option: "--activation-password-fd")
    }

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        try await options.keepPlatform()
        guard case .activated(let user) = try await FlowReport.follow(flow(on: orchestrator)) else { return }
        if options.json {
            try StandardStream.output.print(json: UserReport(user))
        } else {
            StandardStream.output.print("\(user.account.text) is activated on this device.")
        }
    }

    private func flow(on orchestrator: Orchestrator) throws -> AsyncThrowingStream<FlowEvent, any Error> {
        guard !resume else { return orchestrator.resumeActivation(of: argument.user) }
        let activationPassword = try SecretInput.read(
            descriptor: activationPasswordFd, prompt: "Activation password", option: "--activation-password-fd",
            lineLimit: 128)
        return orchestrator.activate(argument.user, with: activationPassword)
    }
}
