internal import ArgumentParser
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `key create`: makes an API key and shows it once.
struct KeyCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an API key. It is shown once and stored as a hash.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Option(help: "What the key opens: app-server or admin.", transform: Choice.of)
    var scope: APIKeyScope

    @Option(help: "What to call the key, at most 64 characters.")
    var name = ""

    mutating func run() async throws {
        let reply = try await Administration(data: data).ask(.createKey(scope: scope.rawValue, name: name))
        guard case .created(let id, let scope, let key) = reply else { throw Failure(reply) }
        if output.isJSON {
            try Output.json(["id": id, "scope": scope, "key": key])
        } else {
            Output.line(key)
        }
    }
}
