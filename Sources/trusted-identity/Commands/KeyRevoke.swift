internal import ArgumentParser
internal import TrustedIdentityServer

/// `key revoke`: ends an API key at once.
struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke an API key.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Argument(help: "The id of the key, as listed.")
    var id: String

    mutating func run() async throws {
        let reply = try await Administration(data: data).ask(.revokeKey(id: id))
        guard case .done = reply else { throw Failure(reply) }
        if output.isJSON { try Output.json(["status": "revoked"]) } else { Output.line("revoked") }
    }
}
