internal import ArgumentParser
internal import CommandLineReports
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

    @Option(help: "The most users, 1 to 1000.")
    var limit = 100

    mutating func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit must be 1 to 1000") }
    }

    mutating func run() async throws {
        let reply = try await Administration(data: data).perform(
            .listUsers(prefix: prefix, after: after, limit: limit))
        guard case .accounts(let accounts) = reply else { throw ErrorReport(reply) }
        if output.isJSON { return try StandardStream.output.print(json: accounts) }
        let rows = accounts.map { [$0.user, $0.createdAt, $0.activatedAt ?? "-"] }
        StandardStream.output.print(Table([["USER", "REGISTERED", "ACTIVATED"]] + rows).text)
        if accounts.count == limit, let last = accounts.last {
            StandardStream.error.print("there may be more: --after '\(last.user)'")
        }
    }
}
