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
            Run it regularly, and keep the latest file apart from the database. After a restore, 'restored --audit FILE' \
            revokes again what the file says was revoked after the backup. The file has names of users, so it is made \
            for its owner only.
            """)

    @OptionGroup var data: DataOption

    @Option(help: "The number of the first entry. The first one that the oldest backup lacks, or an earlier one.")
    var since: Int64 = 1

    @Option(help: "The file. It is replaced when the export is complete. Without it: standard output.")
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
        try await administration.exportAudit(from: since, draft.write)
        try draft.commit()
    }
}
