internal import CLibrary
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The database of a platform in one SQLite file, the embedded default, or in memory.
///
/// One process has the file open. A lock file beside it makes sure: a second process gets
/// ``DatabaseError/Code/inUse``. One connection writes; the writes that wait for it share one transaction and one
/// sync of the disk, and each returns after the commit. Reads run next to it, on a connection for each
/// processor. The journal is a write-ahead log that is synced at every commit (`synchronous=FULL`): a used code stays
/// used after a power loss.
///
/// The store creates the file, its lock and its journal with mode 0600. Copy a database only while it is closed, or
/// with ``backup(to:)``.
///
/// While the store is open, its errors are `StoreError` with the kind of SQLite's result code and the extended
/// code itself.
public final class SQLiteDatabase: SQLDatabase {
    /// The path of the database.
    let path: String
    private let connection: QueuedConnection
    /// nil in memory, where reads take the place of a write.
    private let readers: SnapshotReaders?
    let writer: GroupCommitWriter
    /// nil in memory.
    private let lock: ProcessLock?

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
    /// - Throws: ``DatabaseError`` with `inUse`, `newerSchema`, `corrupt` or `inaccessible`.
    public convenience init(
        path: String, writerLimits: WriterLimits = .init()
    ) async throws(DatabaseError) {
        try await self.init(path: path, writerLimits: writerLimits, tracing: nil)
    }

    /// Opens a database and calls a closure with the SQL of each statement that runs, without its values: for counting
    /// statements.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - writerLimits: The limits of the requests that wait to be written.
    ///   - trace: A closure that receives the SQL of each statement.
    ///   - batchLimit: The maximum number of writes of a transaction; nil for the usual number.
    package init(
        path: String, writerLimits: WriterLimits = .init(), tracing trace: (@Sendable (String) -> Void)? = nil,
        batchLimit: Int? = nil
    ) async throws(DatabaseError) {
        self.path = path
        let lock = try ProcessLock(path: path + ".lock")
        self.lock = lock
        try Self.makePrivateFile(path: path)
        let identity = FileState.identity(of: path)
        let log = WriteAheadLog()
        do {
            // The first connection: it makes the write-ahead log, without which no other one can read.
            let writing = try Self.connection(path, .writing, tracing: trace)
            // Before the journal changes: the file of another program stays as it is.
            _ = try Migrations.revision(of: writing)
            try writing.execute("PRAGMA synchronous = FULL")
            // SQLite keeps the earlier mode, without an error, where the file system has no shared memory.
            guard try writing.texts("PRAGMA journal_mode = WAL") == ["wal"],
                try writing.number("PRAGMA synchronous") == 2
            else {
                throw DatabaseError(
                    .inaccessible, "the database cannot have a write-ahead log: move it to a local disk")
            }
            try log.attach(to: writing)
            if lock.note != identity, try writing.texts("PRAGMA quick_check(1)") != ["ok"] {
                throw DatabaseError(.corrupt, DatabaseError.damaged)
            }
            try Migrations.migrate(writing)
            connection = QueuedConnection(writing)
        } catch {
            throw DatabaseError(error)
        }
        readers = SnapshotReaders(count: Self.readerCount) { try Self.connection(path, .reading, tracing: trace) }
        writer = GroupCommitWriter(
            connection: connection, log: log, limits: writerLimits,
            batchLimit: batchLimit ?? GroupCommitWriter.batchLimit)
    }

    /// Creates an empty database in memory, for tests, demonstrations and embedding where nothing has to outlive the
    /// process.
    ///
    /// Reads and writes take turns. Nothing is durable, and the audit log stays in memory until it is pruned. The process
    /// ends with a message if memory is short or the SQLite library is older than 3.37.
    public static func inMemory() -> SQLiteDatabase {
        do {
            let connection = try connection(":memory:", .writing, tracing: nil)
            try Migrations.migrate(connection)
            return SQLiteDatabase(inMemory: connection)
        } catch {
            fatalError("SQLite cannot make a database in memory: \(error)")
        }
    }

    private init(inMemory connection: SQLiteConnection) {
        path = ":memory:"
        lock = nil
        readers = nil
        self.connection = QueuedConnection(connection)
        writer = GroupCommitWriter(connection: self.connection)
    }

    /// Returns a database in memory with the current rows of this one.
    package func snapshot() -> SQLiteDatabase {
        do {
            let copy = try Self.connection(":memory:", .writing, tracing: nil)
            try connection.runHere { try $0.copy(to: copy) }
            return SQLiteDatabase(inMemory: copy)
        } catch {
            fatalError("SQLite cannot copy a database to memory: \(error)")
        }
    }

    /// Closes the database after the writes under way, and releases the lock. The store cannot be used afterwards.
    ///
    /// - Throws: ``DatabaseError`` when SQLite cannot close. The data is safe all the same.
    public func close() async throws(DatabaseError) {
        do {
            // A separate task: a canceled caller closes the database, too.
            try await Task { try await closeDatabase() }.value
        } catch {
            throw DatabaseError(error)
        }
    }

    private func closeDatabase() async throws {
        // An empty job ends after all jobs before it.
        try await writer.write { _ in }
        if let readers {
            // By the writing connection: the last connection that closes is a reader, which cannot do it.
            try await connection.run { _ = try $0.checkpoint(.truncating) }
            try readers.close()
        }
        try await connection.run { try $0.close() }
        lock?.release(leaving: FileState.identity(of: path))
    }

    /// Reads in a snapshot, beside the writer.
    ///
    /// The closure runs on the thread of the caller, which waits for the disk. A queue would change the thread twice
    /// for each read: the article "Performance" has the difference.
    public func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try Task.checkCancellation()
        do {
            return try readHere(body)
        } catch let error as SQLiteFailure {
            throw StoreError(error)
        }
    }

    private func readHere<R>(_ body: (any SQLSession) throws -> R) throws -> R {
        guard let readers else {
            return try connection.runHere { connection in
                try SnapshotReaders.inSnapshot(of: connection) { try body(SQLiteSession(connection: $0)) }
            }
        }
        return try readers.read { try body(SQLiteSession(connection: $0)) }
    }

    /// Runs the closure in a savepoint of the writer's next transaction, and returns after that one was synced.
    public func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        do {
            return try await writer.write { try body(SQLiteSession(connection: $0)) }
        } catch let error as SQLiteFailure {
            throw StoreError(error)
        }
    }

    /// Returns the number of waiting writes, the free bytes of the disk, and the sizes of the database and its journal.
    public func health() async throws -> StoreHealth {
        guard lock != nil else { return StoreHealth() }
        return StoreHealth(
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
        } catch let error as SQLiteFailure {
            throw StoreError(error)
        }
    }

    /// Runs a pragma on the writing connection and returns its value: for tests of the settings and the limits.
    package func pragma(_ statement: StaticString) async throws -> String? {
        try await writer.write { connection in
            switch try connection.rows("PRAGMA \(statement)").first?.first {
            case .text(let text): text
            case .integer(let number): String(number)
            default: nil
            }
        }
    }

    /// Makes an empty file that only its owner may read and write. An existing one is left as it is.
    ///
    /// SQLite gives its journal the rights of the database, so this is enough for all of its files.
    private static func makePrivateFile(path: String) throws(DatabaseError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseError(.inaccessible, "the database cannot be opened") }
        CLibrary.close(descriptor)
    }

    /// One connection for each thread that reads, tasks and event loops: no thread waits for another.
    private static var readerCount: Int { min(max(5, 2 * ProcessInfo.processInfo.activeProcessorCount), 64) }

    /// Opens a connection. A reader waits at most 10 seconds while another process has the database for itself.
    private static func connection(
        _ path: String, _ mode: SQLiteConnection.Mode, tracing trace: (@Sendable (String) -> Void)?
    ) throws(SQLiteFailure) -> SQLiteConnection {
        let connection = try SQLiteConnection(path, mode, patience: mode == .reading ? 10_000 : 0)
        // Erased keys are overwritten, not only unlinked, and damage is found before content is used.
        try connection.execute("PRAGMA secure_delete = ON")
        try connection.execute("PRAGMA cell_size_check = ON")
        try connection.execute("PRAGMA trusted_schema = OFF")
        // 16 MiB. The pages of most accounts stay in memory.
        try connection.execute("PRAGMA cache_size = -16384")
        if let trace { try connection.traceStatements(trace) }
        return connection
    }
}
