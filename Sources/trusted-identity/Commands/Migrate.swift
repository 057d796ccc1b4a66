internal import ArgumentParser
internal import CLibrary
internal import CommandLine
internal import Foundation
internal import Logging
internal import Primitives
internal import Synchronization
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `migrate`: copies the data of a folder to a database on a PostgreSQL server.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the data of a folder to an empty database on a PostgreSQL server, while no server runs.",
        discussion: """
            All rows are copied as they are, and compared by count and hash. The master key stays the same. After an \
            interruption, run it again: it continues after the last rows that it has copied. At the end, it leaves the note \
            'migrated' in the folder and makes platform.sqlite read-only. Give each server the setting database afterwards.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let configuration = try ProgramConfiguration.read(data).configuration
        guard configuration.database != nil else {
            throw ErrorReport(.usage, "no database is named", hint: "--database names it, as a URI of PostgreSQL")
        }
        let folder = try DataFolder(of: configuration, mode: .mustExist)
        guard PrivateFile.exists(folder.databasePath) else { throw folder.noDatabase }
        let keys = InstallationKeys(configuration, folder: folder)
        let migration = FolderMigration(
            folder: folder, configuration: configuration, keys: keys, target: try ConfiguredDatabase(configuration))
        let line = StandardStream.error.isTerminal ? MigrationLine() : nil
        let report = try await migration.run { line?.show($0) }
        line?.clear()
        if output.isJSON { return try StandardStream.output.print(json: report) }
        if let rows = report.rows, let seconds = report.seconds {
            let count = rows.values.reduce(0, +)
            StandardStream.output.print(
                "migrated: \(count) rows in \(Int(seconds.rounded(.up))) s to \(report.database)")
        } else {
            StandardStream.output.print("migrated earlier: to \(report.database)")
        }
        StandardStream.error.print(
            "back up the new database now; keep platform.sqlite, which is read-only, until the backup was tried")
    }
}

/// The result of a migration.
struct MigrationReport: Encodable, Sendable {
    /// The host, the port and the name of the database.
    let database: String
    /// The number of rows of each table; nil when a previous run has ended.
    var rows: [String: Int]?
    var seconds: Double?
}

/// The migration of a data folder.
private struct FolderMigration {
    /// The maximum size of the note, in bytes.
    private static let noteLimit = 512

    let folder: DataFolder
    let configuration: InstallationConfiguration
    let keys: InstallationKeys
    let target: ConfiguredDatabase

    /// Copies the rows, leaves the note, and makes the file of the database read-only.
    ///
    /// The next run continues after the process is killed at any point. The note is written before the access rights
    /// are changed: without the note, a run opens the file for writing, as SQLite needs it.
    func run(_ progress: @escaping @Sendable (Migration.Progress) -> Void) async throws -> MigrationReport {
        var report = MigrationReport(database: target.name)
        if PrivateFile.exists(folder.migratedPath) {
            try requireSameTarget()
        } else {
            let start = ContinuousClock.now
            report.rows = try await withSource { source in
                try await target.use(
                    orFile: folder.databasePath, for: .migration, WriterLimits(),
                    logger: Logger(label: TrustedIdentityCommand.name) { _ in SwiftLogNoOpLogHandler() }
                ) { target in
                    let rows = try await Migration.run(from: source, to: target, progress: progress)
                    // This happens before the lock is released: from here on, no server can start on the previous
                    // database.
                    try leaveNote()
                    return rows
                }
            }
            report.seconds = (ContinuousClock.now - start) / .seconds(1)
        }
        guard unsafe chmod(folder.databasePath, 0o400) == 0 else {
            throw ErrorReport(
                .storage, "cannot make \(folder.databasePath) read-only: \(SystemCall.message(of: errno))",
                hint: "the data was moved: do not change the file")
        }
        return report
    }

    /// Takes the lock and opens the database of the folder, whose keys the master key can open.
    private func withSource<Result: Sendable>(
        _ body: (SQLiteDatabase) async throws -> Result
    ) async throws -> Result {
        let masterKeys = [try keys.masterKey(isNew: false)] + (try keys.nextMasterKey().map { [$0] } ?? [])
        let named = configuration.platform.tenant
        let tenant = configuration.isTenantNamed ? named : try folder.storedTenant() ?? named
        let source = try await SQLiteDatabase(path: folder.databasePath)
        do {
            try await Migration.checkKeys(of: source, masterKeys: masterKeys, tenant: tenant)
            let result = try await body(source)
            try await source.close()
            return result
        } catch {
            try? await source.close()
            throw error
        }
    }

    /// Creates the note: a line with the database, and one with the time.
    private func leaveNote() throws(ErrorReport) {
        let text = "\(target.name)\n\(Date.now.formatted(.iso8601))\n"
        try PrivateFile.make(folder.migratedPath, SecretBytes(copying: text.utf8))
    }

    /// Throws an error when the note of a previous run names another database.
    private func requireSameTarget() throws(ErrorReport) {
        let note = try PrivateFile.read(folder.migratedPath, limit: Self.noteLimit)
        let text = note.withBytes { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
        guard let name = text.split(separator: "\n").first, name == target.name else {
            throw ErrorReport(
                .refused, "the data of this folder was moved to another database, nothing was changed",
                hint: "the file \(folder.migratedPath) names it")
        }
    }
}

/// The progress on a terminal: one line with the table, its rows and the rate.
private final class MigrationLine: Sendable {
    private struct Start {
        let key: String
        let time: ContinuousClock.Instant
        let rows: Int
    }

    private let start = Mutex<Start?>(nil)

    func show(_ progress: Migration.Progress) {
        let key = (progress.step == .copy ? "copying " : "comparing ") + progress.table
        let now = ContinuousClock.now
        let rate = start.withLock { start -> String in
            guard let first = start, first.key == key else {
                start = Start(key: key, time: now, rows: progress.rows)
                return ""
            }
            let seconds = (now - first.time) / .seconds(1)
            return seconds > 0 ? ", \(Int(Double(progress.rows - first.rows) / seconds)) rows/s" : ""
        }
        StandardStream.error.write("\r\u{1B}[K\(key): \(progress.rows) of \(progress.total) rows\(rate)")
    }

    func clear() { StandardStream.error.write("\r\u{1B}[K") }
}

extension ErrorReport {
    /// Creates the report of a migration that is not finished.
    init(_ error: MigrationError) {
        let again = "make the database again, empty, and run trusted-identity migrate again"
        switch error.code {
        case .notEmpty: self.init(.refused, error.message, hint: "name an empty database")
        case .otherSource: self.init(.refused, error.message, hint: again)
        case .different: self.init(.storage, error.message, hint: again)
        default:
            let reason = (error.underlying as? StoreError).map { ": \($0.text)" } ?? ""
            self.init(
                .storage, error.message + reason, hint: "run it again: it continues after the rows that were copied")
        }
    }
}
