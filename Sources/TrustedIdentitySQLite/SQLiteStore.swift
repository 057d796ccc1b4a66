internal import CLibrary
internal import GRDB
internal import Primitives
public import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A store of the platform in one SQLite file: the embedded default.
///
/// One process has the file open. A lock file beside it makes sure: a second process gets
/// ``SQLiteStoreError/Code/inUse``. One connection writes; the writes that wait for it share one transaction and one
/// sync of the disk, and each returns after the commit. Reads run beside it, on a connection for each
/// processor. The journal is a write-ahead log that is synced at every commit (`synchronous=FULL`), so that a used code
/// stays used after a power loss.
///
/// The store creates the file, its lock and its journal with mode 0600. Copy a database only while it is closed, or
/// with ``backup(to:)``.
///
/// While the store is open, its errors are `PlatformStoreError` with the kind of SQLite's result code and the extended
/// code itself.
public final class SQLiteStore: PlatformStore {
    /// The path of the database.
    let path: String
    private let pool: DatabasePool
    private let readers: SnapshotReaders
    let writer: GroupCommitWriter
    private let lock: ProcessLock

    /// Opens a database, or creates it, and brings its schema to this version.
    ///
    /// Its pages are checked, unless the last store closed it and the file is as it was then: the time of the check
    /// grows with the database. ``check(path:thoroughly:)`` checks it at any time.
    ///
    /// A database of an earlier version is migrated and keeps its rows. The earlier version cannot open it afterwards.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder must exist. `<path>.lock` is created beside it.
    ///   - writerLimits: The limits of the requests that wait to be written. By default, 4,096 may wait, for any time.
    /// - Throws: ``SQLiteStoreError`` with `inUse`, `newerSchema`, `corrupt` or `inaccessible`.
    public convenience init(
        path: String, writerLimits: WriterLimits = .init()
    ) async throws(SQLiteStoreError) {
        try await self.init(path: path, writerLimits: writerLimits, tracing: nil)
    }

    /// Opens a database and calls a closure with the SQL of each statement that runs, without its values: for counting
    /// statements.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - writerLimits: The limits of the requests that wait to be written.
    ///   - trace: A closure that receives the SQL of each statement.
    ///   - batchLimit: The most writes of a transaction; nil for the usual number.
    package init(
        path: String, writerLimits: WriterLimits = .init(), tracing trace: (@Sendable (String) -> Void)? = nil,
        batchLimit: Int? = nil
    ) async throws(SQLiteStoreError) {
        self.path = path
        lock = try ProcessLock(path: path + ".lock")
        try Self.makePrivateFile(path: path)
        let identity = FileState.identity(of: path)
        let log = WriteAheadLog()
        let configuration = Self.configuration(tracing: trace)
        readers = SnapshotReaders(path: path, configuration: configuration)
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            try await pool.writeWithoutTransaction { database in
                // After the opening, because GRDB sets NORMAL when it turns the write-ahead log on.
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try log.attach(to: database)
            }
            if lock.note != identity {
                let findings = try readers.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
                guard findings == ["ok"] else { throw SQLiteStoreError(.corrupt, SQLiteStoreError.damaged) }
            }
            try Migrations.migrate(pool)
        } catch {
            throw SQLiteStoreError(error)
        }
        writer = GroupCommitWriter(
            pool: pool, log: log, limits: writerLimits, batchLimit: batchLimit ?? GroupCommitWriter.batchLimit)
    }

    /// Closes the database after the writes under way, and releases the lock. The store cannot be used afterwards.
    ///
    /// - Throws: ``SQLiteStoreError`` when SQLite cannot close. The data is safe all the same.
    public func close() async throws(SQLiteStoreError) {
        do {
            // A task of its own: a canceled caller closes the database, too.
            try await Task { try await closeDatabase() }.value
        } catch {
            throw SQLiteStoreError(error)
        }
    }

    private func closeDatabase() async throws {
        // An empty job ends after all jobs before it.
        try await writer.write { _ in }
        // By the writing connection: the last connection that closes is a reader, which cannot do it.
        _ = try await pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try readers.close()
        try pool.close()
        lock.release(leaving: FileState.identity(of: path))
    }

    /// Reads in a snapshot, beside the writer.
    ///
    /// The closure runs on the thread of the caller, which waits for the disk. A queue would change the thread twice
    /// for each read: the article "Performance" has the difference.
    public func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try Task.checkCancellation()
        do {
            return try readHere(body)
        } catch let error as DatabaseError {
            throw PlatformStoreError(error)
        }
    }

    private func readHere<R>(_ body: (any StoreReader) throws -> R) throws -> R {
        try readers.read { try body(SQLiteTransaction(database: $0)) }
    }

    /// Runs the closure in a savepoint of the writer's next transaction, and returns after that one was synced.
    public func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        do {
            return try await writer.write { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError {
            throw PlatformStoreError(error)
        }
    }

    /// Returns the number of waiting writes, the free bytes of the disk, and the sizes of the database and its journal.
    public func health() async throws -> StoreHealth {
        StoreHealth(
            waitingWrites: await writer.waitingCount, waitingLimit: writer.waitingLimit,
            freeBytes: FileState.free(at: path), databaseBytes: SystemCall.length(of: path),
            logBytes: SystemCall.length(of: path + "-wal"))
    }

    /// Moves the pages of the write-ahead log into the database, between two transactions.
    ///
    /// The writer does it whenever the log has more than 4 MiB. This does it for the rest, and reports an error: the
    /// writer goes on after one, because the pages are safe in the log.
    public func maintain() async throws {
        do {
            try await writer.checkpoint()
        } catch let error as DatabaseError {
            throw PlatformStoreError(error)
        }
    }

    /// Runs a pragma on the writing connection and returns its value: for tests of the settings and the limits.
    package func pragma(_ statement: StaticString) async throws -> String? {
        try await writer.write { try String.fetchOne($0, sql: "PRAGMA \(statement)") }
    }

    /// Makes an empty file that only its owner may read and write. An existing one is left as it is.
    ///
    /// SQLite gives its journal the rights of the database, so this is enough for all of its files.
    private static func makePrivateFile(path: String) throws(SQLiteStoreError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SQLiteStoreError(.inaccessible, "the database cannot be opened") }
        CLibrary.close(descriptor)
    }

    private static func configuration(tracing trace: (@Sendable (String) -> Void)?) -> Configuration {
        var configuration = Configuration()
        configuration.label = "TrustedIdentitySQLite"
        // One for each thread that reads, so that none waits for a connection: the threads of tasks and of event loops.
        configuration.maximumReaderCount = min(max(5, 2 * ProcessInfo.processInfo.activeProcessorCount), 64)
        configuration.prepareDatabase { database in
            // Erased keys are overwritten, not only unlinked, and damage is found before content is used.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // 16 MiB. The pages of most accounts stay in memory.
            try database.execute(sql: "PRAGMA cache_size = -16384")
            guard let trace else { return }
            database.trace { event in
                if case .statement(let statement) = event { trace(statement.sql) }
            }
        }
        return configuration
    }
}
