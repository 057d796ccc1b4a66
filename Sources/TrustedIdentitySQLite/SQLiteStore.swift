internal import GRDB
internal import Primitives
public import TrustedIdentity

/// A store of the platform in one SQLite file: the embedded default.
///
/// One process has the file open, and in it one connection writes (``SQLiteStore`` holds a lock beside the file, so a
/// second process gets ``SQLiteStoreError/Code/inUse``). Writes that wait for that connection share one transaction and
/// one sync of the disk; each is answered after the commit. Reads run beside it. The journal is a write-ahead log that
/// is synced at every commit (`synchronous=FULL`): a used code stays used after a power loss.
///
/// The file, its lock and its journal have mode 0600 when this store makes them. Copy a database only while it is closed
/// or with SQLite's own backup.
public final class SQLiteStore: PlatformStore {
    private let pool: DatabasePool
    private let writer: GroupCommitWriter
    private let lock: ProcessLock

    /// Opens a database, or makes it; checks its pages and brings its schema to this version.
    ///
    /// - Parameter path: the file. Its folder must exist. `<path>.lock` is made beside it.
    /// - Throws: ``SQLiteStoreError`` with `inUse`, `newerSchema`, `corrupt` or `inaccessible`.
    public convenience init(path: String) async throws(SQLiteStoreError) {
        try await self.init(path: path, tracing: nil)
    }

    /// The same, and tells the SQL of each statement that runs, without its values: for counting them.
    package init(path: String, tracing trace: (@Sendable (String) -> Void)?) async throws(SQLiteStoreError) {
        lock = try ProcessLock(path: path + ".lock")
        try ProcessLock.makePrivateFile(path: path)
        do {
            pool = try DatabasePool(path: path, configuration: Self.configuration(tracing: trace))
            try await pool.writeWithoutTransaction { database in
                // After the opening, because GRDB sets NORMAL when it turns the write-ahead log on.
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            let findings = try await pool.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
            guard findings == ["ok"] else {
                throw SQLiteStoreError(.corrupt, "the database is damaged: restore it from a backup")
            }
            try Migrations.migrate(pool)
        } catch {
            throw Self.translated(error)
        }
        writer = GroupCommitWriter(pool: pool)
    }

    /// Closes the database after the writes under way, and gives the lock back. The store cannot be used afterwards.
    ///
    /// - Throws: ``SQLiteStoreError`` when SQLite cannot close; the data is safe all the same.
    public func close() async throws(SQLiteStoreError) {
        do {
            // An empty job: when it is done, those before it are.
            try await writer.write { _ in }
            // By the writing connection, as ever; the last connection to be closed is a reader, which cannot.
            _ = try await pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
            lock.release()
        } catch {
            throw Self.translated(error)
        }
    }

    /// Reads in a snapshot, beside the writer.
    public func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        do {
            return try await pool.read { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError {
            throw Self.translated(error)
        }
    }

    /// Runs the closure in a savepoint of the writer's next transaction, and returns after that was synced.
    public func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        do {
            return try await writer.write { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError {
            throw Self.translated(error)
        }
    }

    /// Settings of the writing connection, read back: for the test that nothing turned them off.
    package func pragma(_ name: StaticString) async throws -> String? {
        try await writer.write { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }

    private static func configuration(tracing trace: (@Sendable (String) -> Void)?) -> Configuration {
        var configuration = Configuration()
        configuration.label = "TrustedIdentitySQLite"
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // Erased keys are overwritten, not only unlinked; a damaged file is noticed before its content is believed.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            guard let trace else { return }
            database.trace { event in
                if case .statement(let statement) = event { trace(statement.sql) }
            }
        }
        return configuration
    }

    private static func translated(_ error: any Error) -> SQLiteStoreError {
        if let error = error as? SQLiteStoreError { return error }
        guard let error = error as? DatabaseError else {
            return SQLiteStoreError(.inaccessible, "the database cannot be used", underlying: error)
        }
        return switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            SQLiteStoreError(.corrupt, "the database is damaged: restore it from a backup", underlying: error)
        default:
            SQLiteStoreError(.inaccessible, "the database cannot be used", underlying: error)
        }
    }
}
