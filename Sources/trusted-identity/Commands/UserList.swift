internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `user list`: the accounts by name.
struct UserList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List users in the order of their names.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Option(help: "Only users whose names begin with this text.")
    var prefix = ""

    @Option(help: "Only users after this name, such as the last one of an earlier list.")
    var after: String?

    @Option(help: "The maximum number of users, 1 to 1000.")
    var limit = 100

    mutating func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit must be 1 to 1000") }
    }

    mutating func run() async throws {
        let after = after.map { "&after=" + AdministrationClient.escaped($0) } ?? ""
        let list: AccountListBody = try await Administration(data: data).send(
            .get, "v1/users?limit=\(limit)&prefix=" + AdministrationClient.escaped(prefix) + after)
        let accounts = list.users
        if output.isJSON { return try StandardStream.output.print(json: accounts) }
        let rows = accounts.map { [$0.name, $0.createdAt.rfc3339, $0.activatedAt?.rfc3339 ?? "-"] }
        StandardStream.output.print(Table([["USER", "REGISTERED", "ACTIVATED"]] + rows).text)
        if let next = list.next { StandardStream.error.print("there may be more: --after '\(next)'") }
    }
}
