internal import ArgumentParser

/// `user`: the accounts.
struct User: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show and unblock users.", subcommands: [UserShow.self, UserUnblock.self])
}
