internal import ArgumentParser
internal import CLibrary
internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `audit`: the audit log.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify, sign, prove, export, extract and prune the audit log, and list what it only counts.",
        subcommands: [
            AuditVerifyCommand.self, AuditCheckpointCommand.self, AuditCheckpointsCommand.self, AuditProveCommand.self,
            AuditKeyCommand.self,
            AuditExportCommand.self, AuditExtractCommand.self, AuditPruneCommand.self, AuditCountsCommand.self,
        ])
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

    @Option(
        help: """
            The number of the first entry: the first entry that the oldest backup lacks, or an earlier one. The first one that \
            was not pruned by default.
            """)
    var since: Int64?

    @Option(help: "The file. An existing one is replaced when the export is complete. Standard output by default.")
    var output: String?

    mutating func run() async throws {
        let administration = try Administration(data: data)
        let path = "v1/audit" + (since.map { "?first=\($0)" } ?? "")
        guard let output else {
            return try await administration.withClient { client in
                try await client.download(path) { part in
                    guard SystemCall.write(part.span, to: StandardStream.output.rawValue) else {
                        throw ErrorReport(.failed, "cannot write to standard output")
                    }
                }
            }
        }
        let draft = try DraftFile(path: output, replacing: true)
        try await administration.withClient { client in
            try await client.download(path) { try draft.write($0.span) }
        }
        try draft.commit()
    }
}

/// `audit counts`: the numbers of events that strangers can cause.
struct AuditCountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counts", abstract: "Count the events that strangers can cause, which the log lists in part.",
        discussion: """
            These are refused logins, of which the log lists the first five of an account and the first 100 of unknown \
            users in an hour, and tries of activation passwords that do not exist. The latest hour comes first; at most \
            1,000 numbers are listed.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let counts: [AuditTally] = try await Administration(data: data).send(.get, "v1/audit/counts")
        if output.isJSON { return try StandardStream.output.print(json: counts) }
        guard !counts.isEmpty else { return }
        let rows = counts.map { [$0.hour.rfc3339, $0.event.rawValue, $0.reason, "\($0.count)"] }
        StandardStream.output.print(Table([["HOUR", "EVENT", "REASON", "COUNT"]] + rows).text)
    }
}
