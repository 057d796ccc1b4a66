internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentity

/// `rekey`: replaces the keys of the rows.
struct Rekey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the keys that seal and authenticate the rows, while each server is stopped.",
        discussion: """
            Run it after the database and the master key may have been disclosed, and after master-key rotate. One \
            transaction seals and authenticates every row again. An interrupted call changes nothing. Make a backup \
            afterwards. What was in the rows before is disclosed anyway: revoke the devices and run platform-key rotate.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Flag(help: "Replace the keys of the hashes of sources and browsers, too: none is known afterwards.")
    var forgetSources = false

    @OptionGroup var confirmation: Confirmation

    mutating func run() async throws {
        let administration = try Administration(data: data)
        try confirmation.require(
            "This seals and authenticates every row under new keys. It cannot be undone. Type yes to continue:")
        let isTerminal = StandardStream.error.isTerminal
        let report = try await administration.replaceDataKeys(forgettingSources: forgetSources) { count in
            if isTerminal { StandardStream.error.write("\r\(count) rows ") }
        }
        if isTerminal { StandardStream.error.write("\r") }
        if output.isJSON { return try StandardStream.output.print(json: report) }
        StandardStream.output.print("replaced: \(report.rows) rows")
        if report.refusedRows > 0 {
            StandardStream.error.print(
                "\(report.refusedRows) rows were changed outside of the platform and stay refused")
        }
        StandardStream.error.print(
            "make a backup now: an audit log that is exported from now on does not apply to an earlier one")
    }
}
