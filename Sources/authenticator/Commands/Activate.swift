import ArgumentParser
import CommandLineReports
import Orchestration

/// `activate USER`.
struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Activate this device for a user, with the activation password of the site.",
        discussion: """
            Asks for the activation password and for a new password. An interrupted activation continues with the same \
            activation password.
            """)

    @OptionGroup var argument: UserArgument

    @Option(help: ArgumentHelp("Read the activation password from this open descriptor.", valueName: "n"))
    var codeFd: Int32?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func validate() throws {
        try SecretInput.checkIsOpen(codeFd, option: "--code-fd")
    }

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(passwordDescriptor: password.passwordFd)
        let activationPassword = try SecretInput.read(
            descriptor: codeFd, prompt: "Activation password", option: "--code-fd")
        let flow = orchestrator.activate(.init(user: argument.user, activationPassword: activationPassword))
        guard case .activated(let user) = try await FlowReport.follow(flow) else { return }
        if options.json {
            try StandardStream.output.print(json: UserReport(user))
        } else {
            StandardStream.output.print("\(user.account.text) is activated on this device.")
        }
    }
}
