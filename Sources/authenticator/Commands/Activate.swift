import ArgumentParser
import Orchestration

/// `activate USER`.
struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Activate this device for a user, with the activation password of the site.",
        discussion: "Asks for the code and for a new password. An interrupted activation goes on with the same code.")

    @OptionGroup var who: UserArgument

    @Option(help: ArgumentHelp("Read the activation password from this open descriptor.", valueName: "n"))
    var codeFd: Int32?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: GlobalOptions

    mutating func validate() throws {
        try OpenDescriptor.check(codeFd, option: "--code-fd")
    }

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(passwordDescriptor: password.passwordFd)
        let code = try SecretInput.read(descriptor: codeFd, prompt: "Activation password", option: "--code-fd")
        let flow = orchestrator.activate(.init(user: who.user, activationPassword: code))
        let outcome = try await FlowReport.follow(flow)
        guard let user = outcome.user else { return }
        if options.json {
            print(try JSONReport.text(UserReport(user)))
        } else {
            print("\(user.account.text) is activated on this device.")
        }
    }
}
