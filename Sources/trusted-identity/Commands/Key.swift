internal import ArgumentParser

/// `key`: the API keys.
struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make, list and revoke API keys.", subcommands: [KeyCreate.self, KeyList.self, KeyRevoke.self])
}
