internal import ArgumentParser
internal import TrustedIdentityServer

/// `key list`: the API keys, revoked ones included.
struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the API keys.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let reply = try await Administration(data: data).ask(.listKeys)
        guard case .keys(let keys) = reply else { throw Failure(reply) }
        if output.isJSON { return try Output.json(keys) }
        for key in keys {
            let state = key.revokedAt.map { "revoked \($0)" } ?? "valid"
            Output.line([key.id, key.scope, key.createdAt, state, key.name].joined(separator: "  "))
        }
    }
}
