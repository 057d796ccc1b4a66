internal import ArgumentParser
internal import CommandLineReports

/// `rekey`: replaces the keys of the rows.
struct Rekey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the keys that seal and authenticate the rows, while the server is stopped.",
        discussion: """
            Run it when someone may have had the database and the master key, after master-key rotate. One transaction \
            seals and authenticates every row again. An interrupted call changes nothing. Make a backup afterwards. What \
            was in the rows before is disclosed all the same: revoke the devices and run platform-key rotate.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "Replace the keys of the hashes of sources and browsers, too: none is known afterwards.")
    var forgetSources = false

    @Flag(help: "Do not ask for a confirmation.")
    var yes = false

    mutating func run() async throws {
        if !yes { try confirm() }
        let isTerminal = StandardStream.error.isTerminal
        let count = try await Administration(data: data).replaceDataKeys(forgettingSources: forgetSources) { count in
            if isTerminal { StandardStream.error.write("\r\(count) rows ") }
        }
        if isTerminal { StandardStream.error.write("\r") }
        if output.isJSON { return try StandardStream.output.print(json: Report(rows: count)) }
        StandardStream.output.print("replaced: \(count) rows")
        StandardStream.error.print(
            "make a backup now: an audit log that is exported from now on does not apply to an earlier one")
    }

    private struct Report: Encodable {
        var status = "replaced"
        let rows: Int
    }

    /// Says what the command does, and asks for the word yes.
    private func confirm() throws(ErrorReport) {
        StandardStream.error.print(
            """
            This seals and authenticates every row under new keys. It cannot be undone, and takes a minute for a million \
            rows. Type yes to go on:
            """)
        guard readLine() == "yes" else {
            throw ErrorReport(.refused, "not confirmed, nothing was changed", hint: "--yes skips the question")
        }
    }
}
