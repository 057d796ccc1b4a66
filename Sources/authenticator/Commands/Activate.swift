import ArgumentParser
import CommandLine
import Orchestration

/// `activate USER` and `activate LINK`.
struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Activate this device for a user, with the activation password of the site.",
        discussion: """
            Asks for the activation password and for a new password. An interrupted activation continues with the same \
            activation password, or without one (--resume) when the new password was chosen already. The activation \
            of the first user of a store keeps the address of the platform there, for later commands.

            With an activation link instead of the user, the command shows its user and address, and asks for the nine \
            characters of the activation password that the link does not have.
            """)

    @Argument(help: "The user, user@domain, or an activation link.")
    var user: String

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
        let link = try link()
        if let link {
            options.platform = link.address
            StandardStream.error.print("The link is for \(link.account.text) at \(link.address).")
        }
        let orchestrator = try await options.orchestrator(password)
        try await options.keepPlatform()
        let flow = try flow(on: orchestrator, link: link)
        guard case .activated(let user) = try await FlowReport.follow(flow) else { return }
        try StandardStream.output.print(
            UserReport(user), asJSON: options.json, else: "\(user.account.text) is activated on this device.")
    }

    /// Returns the activation link that was given instead of a user; `nil` for a user.
    private func link() throws -> ActivationLink? {
        guard user.hasPrefix("swift-orchestration:") else { return nil }
        let link: ActivationLink
        do {
            link = try ActivationLink(user)
        } catch {
            throw ErrorReport(.usage, error.message)
        }
        if let platform = options.platform, platform != link.address {
            throw ErrorReport(
                .usage, "the link is for the platform '\(link.address)', and not for that of --platform",
                hint: "leave out --platform if the address of the link is right")
        }
        return link
    }

    private func flow(
        on orchestrator: Orchestrator, link: ActivationLink?
    ) throws -> AsyncThrowingStream<FlowEvent, any Error> {
        guard !resume else { return orchestrator.resumeActivation(of: link?.account.text ?? user) }
        let prompt = link == nil ? "Activation password" : "The last nine characters of the activation password"
        let typed = try SecretInput.read(
            descriptor: activationPasswordFd, prompt: prompt, option: "--activation-password-fd", lineLimit: 128)
        guard let link else { return orchestrator.activate(user, with: typed) }
        return orchestrator.activate(link, with: typed)
    }
}
