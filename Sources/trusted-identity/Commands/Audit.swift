internal import ArgumentParser
internal import CLibrary
internal import CommandLineReports

/// `audit`: the audit log.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Export the audit log.", subcommands: [AuditExportCommand.self])
}

/// `audit export`: writes the audit log to a file or to standard output.
struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the audit log as JSON lines, for a restore.",
        discussion: """
            Run it regularly, and keep the latest file apart from the database. After a restore, \
            'restored --audit FILE' revokes again what was revoked after the backup. The file contains names of users, \
            so only its owner can read it.
            """)

    @OptionGroup var data: DataOption

    @Option(help: "The number of the first entry: the first entry that the oldest backup lacks, or an earlier one.")
    var since: Int64 = 1

    @Option(help: "The file. An existing one is replaced when the export is complete. Standard output by default.")
    var output: String?

    mutating func run() async throws {
        let administration = try Administration(data: data)
        guard let output else {
            try await administration.exportAudit(from: since) { part in
                guard SystemCall.write(part.span, to: StandardStream.output.rawValue) else {
                    throw ErrorReport(.failed, "cannot write to standard output")
                }
            }
            return
        }
        let draft = try DraftFile(path: output)
        try await administration.exportAudit(from: since) { try draft.write($0.span) }
        try draft.commit(replacing: true)
    }
}
