import ArgumentParser

/// `users`, `users show USER`, `users delete USER`.
struct Users: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List, show and delete the users of this device.",
        subcommands: [ListUsers.self, ShowUser.self, DeleteUser.self],
        defaultSubcommand: ListUsers.self)
}
