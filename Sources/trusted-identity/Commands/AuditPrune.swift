internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentity

/// `audit prune`: moves the first entries of the audit log to a file.
struct AuditPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Move the entries of the audit log before a date to a file.",
        discussion: """
            The log is verified, and the file is written, synced, read again and verified before an entry is removed. What \
            remains is verified and proven as before; 'audit verify --pruned FILE' verifies the file with it. After an \
            interruption, run the command again with the same file. A restore from a backup that is older than the date needs \
            entries of the file, so prune only what no backup needs. The file contains no names of users.
            """)

    @Option(help: "The day, as 2026-01-31, whose beginning in UTC ends the part; or a time as in RFC 3339.")
    var before: String

    @Option(help: "The file. An existing one is not replaced, unless it is that of an interrupted run.")
    var to: String

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let isTerminal = StandardStream.error.isTerminal
        let file = try await Administration(data: data).withClient { [before, to] client in
            try await AuditPruning(date: before, path: to, client: client).run { left in
                if isTerminal { StandardStream.error.write("\r\(left) rows are left to remove ") }
            }
        }
        if isTerminal { StandardStream.error.write("\r") }
        let report = Report(file: to, first: file.part.first, last: file.part.last)
        try StandardStream.output.print(
            report, asJSON: output.isJSON, else: "pruned: entries \(report.first) to \(report.last) are in \(to)")
    }

    private struct Report: Encodable {
        let file: String
        let first: Int64
        let last: Int64
    }
}
