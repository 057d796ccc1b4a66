internal import ArgumentParser
internal import CLibrary
internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `backup`: copies the database while the server runs.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database to a file, while the server runs or not.",
        discussion: """
            The copy is one state of the database, which was checked and synced when the file has its name. The file has mode \
            0600. An existing file is not replaced. The master key is not in it: keep a copy of the key apart from it. A \
            database on a server has PostgreSQL's own backups.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Argument(help: "The file for the copy.")
    var file: String

    mutating func run() async throws {
        let configuration = try ProgramConfiguration.read(data).configuration
        try ErrorReport.requireSQLite(
            configuration, for: "backup", hint: "use pg_basebackup, or pg_dump for one state of the database")
        let folder = try DataFolder(of: configuration, mode: .mustExist)
        try folder.checkDatabase(of: configuration)
        guard PrivateFile.exists(folder.databasePath) else { throw folder.noDatabase }
        let total = SystemCall.length(of: folder.databasePath) ?? 0
        let progress = Task { [file] in
            guard StandardStream.error.isTerminal else { return }
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(200))
                // Until the copy is complete, it has another name. It may be smaller than the database.
                let done = SystemCall.length(of: file + ".new") ?? 0
                StandardStream.error.write("\r\(min(99, 100 * done / max(1, total))) %")
            }
        }
        defer {
            progress.cancel()
            if StandardStream.error.isTerminal { StandardStream.error.write("\r") }
        }
        try await SQLiteDatabase.backup(of: folder.databasePath, to: file)
        let bytes = SystemCall.length(of: file) ?? 0
        try StandardStream.output.print(
            BackupReport(file: file, bytes: bytes), asJSON: output.isJSON, else: "backed up: \(file), \(bytes) bytes")
    }
}

private struct BackupReport: Encodable {
    let file: String
    let bytes: Int64
}
