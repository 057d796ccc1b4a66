internal import ArgumentParser
internal import TrustedIdentityServer

/// `user unblock`: lifts what blocks typed codes and passwords.
struct UserUnblock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Forget the failures of a user's typed codes and passwords.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Argument(help: "The user, with or without @domain.")
    var user: String

    mutating func run() async throws {
        let reply = try await Administration(data: data).ask(.unblockUser(user))
        guard case .done = reply else { throw Failure(reply) }
        if output.isJSON { try Output.json(["status": "unblocked"]) } else { Output.line("unblocked") }
    }
}
