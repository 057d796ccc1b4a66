internal import ArgumentParser
internal import CommandLine
internal import Foundation
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `restore`: replaces the database by a backup, and marks it as restored.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the database by a backup, while the server is stopped.",
        discussion: """
            The backup is checked first: its pages, its version, its tenant, and that the master key opens it. It is \
            marked as restored as 'restored' does: with --audit, what the export of the audit log says was revoked is \
            revoked again; with --nothing-revoked, nothing is suspended; otherwise all devices, API keys and static \
            passwords are suspended. The earlier database stays beside it under another name.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Argument(help: "The backup.")
    var file: String

    @OptionGroup var revocations: RevocationOptions

    mutating func run() async throws {
        let configuration = try ProgramConfiguration.read(data).configuration
        try ErrorReport.requireSQLite(
            configuration, for: "restore",
            hint: "restore with PostgreSQL's own tools, then run trusted-identity restored before a server starts")
        // A file that cannot be read causes an error before the lock is taken.
        _ = try FileChunks(path: file)
        let folder = try DataFolder(of: configuration, mode: .makeIfMissing)
        try folder.checkDatabase(of: configuration)
        let keys = InstallationKeys(configuration, folder: folder)
        let export = try revocations.audit.map { try FileChunks(path: $0) }
        let time = Date.now.formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
        let aside = folder.databasePath + ".before-" + time
        let hadDatabase = PrivateFile.exists(folder.databasePath)
        let restoration: Restoration
        do {
            restoration = try await folder.restore(configuration, keys: keys, from: file, keepingEarlierAt: aside) {
                [nothingRevoked = revocations.nothingRevoked] client in
                try await Restoration(nothingRevoked: nothingRevoked, applying: export, with: client)
            }
        } catch let error as DatabaseError where error.code == .corrupt {
            throw ErrorReport.notABackup(file)
        }
        try restoration.print(asJSON: output.isJSON)
        if hadDatabase { StandardStream.error.print("the earlier database is \(aside)") }
    }
}

extension ErrorReport {
    /// Returns the report of a file that cannot be restored.
    static func notABackup(_ file: String) -> ErrorReport {
        ErrorReport(
            .storage, "\(file) is not a backup of a platform, or it is damaged; nothing was changed",
            hint: "name a file that 'trusted-identity backup' has written")
    }
}
