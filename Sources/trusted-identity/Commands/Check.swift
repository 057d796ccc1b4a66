internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `check`: whether the pages of the database are whole.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the pages of the database, while the server runs or not.",
        discussion: """
            Prints 'ok' and ends with 0, or prints what is wrong and ends with 6. The server checks the pages by itself when \
            it starts after it was killed. For damage there is only a backup: 'restore'.
            """)

    @OptionGroup var data: DataOption

    @Flag(help: "Compare each entry of each index with its row, too. Takes longer.")
    var thorough = false

    mutating func run() async throws {
        let configuration = try ProgramConfiguration.read(data).configuration
        try ErrorReport.requireSQLite(
            configuration, for: "check", hint: "use PostgreSQL's own checks: pg_checksums and pg_amcheck")
        let folder = try DataFolder(of: configuration, mode: .mustExist)
        try folder.checkDatabase(of: configuration)
        guard PrivateFile.exists(folder.databasePath) else { throw folder.noDatabase }
        let findings = try await SQLiteDatabase.check(path: folder.databasePath, thoroughly: thorough)
        for finding in findings { StandardStream.output.print(finding) }
        guard findings.isEmpty else {
            throw ErrorReport(.storage, "the database is damaged", hint: "stop the server and restore a backup")
        }
        StandardStream.output.print("ok")
    }
}
