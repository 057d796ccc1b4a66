import ArgumentParser
import CommandLine
import Orchestration

/// `unlock USER`.
struct Unlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Unlock this device for a user, with an unlock code of the site.",
        discussion: """
            Asks for the unlock code and for a new password. It ends the lock after wrong passwords, and replaces a \
            forgotten password. An interrupted unlock can be repeated with the same unlock code. It then asks for the \
            new password once if that was stored already.
            """)

    @OptionGroup var argument: UserArgument

    @Option(help: ArgumentHelp("Read the unlock code from this open descriptor.", valueName: "n"))
    var unlockCodeFd: Int32?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: DeviceOptions

    mutating func validate() throws {
        try SecretInput.checkIsOpen(unlockCodeFd, option: "--unlock-code-fd")
    }

    mutating func run() async throws {
        let orchestrator = try await options.orchestrator(password)
        let unlockCode = try SecretInput.read(
            descriptor: unlockCodeFd, prompt: "Unlock code", option: "--unlock-code-fd", lineLimit: 128)
        let flow = orchestrator.unlock(argument.user, with: unlockCode)
        guard case .unlocked(let user) = try await FlowReport.follow(flow) else { return }
        try StandardStream.output.print(
            UserReport(user), asJSON: options.json, else: "\(user.account.text) is unlocked on this device.")
    }
}
