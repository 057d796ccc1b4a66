internal import CSQLite
internal import Primitives

/// A connection to a SQLite database. One thread at a time may use it.
@safe package final class SQLiteConnection: @unchecked Sendable {  // SAFETY: its owner gives it to one thread at a time
    /// What a connection may do with its file.
    package enum Mode: Sendable {
        /// Read a file that exists.
        case reading
        /// Read and write a file, which is created if it does not exist.
        case writing
    }

    /// nil once the connection is closed.
    private var handle: OpaquePointer?
    private var statements: [String: PreparedStatement] = [:]
    private var trace: Trace?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `:memory:` for a new database in memory.
    ///   - mode: What the connection may do.
    ///   - patience: The time for which a statement waits while another connection has the database for itself, in
    ///     milliseconds.
    /// - Throws: ``SQLiteFailure``. A file that is not a database can be opened; its first statement fails.
    package init(_ path: String, _ mode: Mode = .writing, patience: Int = 0) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let access = mode == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        // SQLite needs no mutex, because one thread at a time uses the connection.
        let code = unsafe sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        unsafe handle = opened
        guard code == SQLITE_OK else {
            let error = unsafe SQLiteFailure(code, opened, sql: nil)
            unsafe sqlite3_close_v2(opened)
            unsafe handle = nil
            throw error
        }
        _ = unsafe sqlite3_busy_timeout(opened, CInt(clamping: patience))
    }

    deinit {
        statements.values.forEach { $0.finalize() }
        unsafe sqlite3_close_v2(handle)
    }

    /// Closes the file. The connection cannot be used afterwards.
    ///
    /// - Throws: ``SQLiteFailure``. The file is then closed when the connection is released.
    package func close() throws(SQLiteFailure) {
        statements.values.forEach { $0.finalize() }
        statements = [:]
        try unsafe check(sqlite3_close(handle))
        unsafe handle = nil
        trace = nil
    }

    /// Whether a transaction is open. After some errors SQLite ends it by itself.
    package var isInTransaction: Bool { unsafe handle.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false }

    /// The number of rows that the latest `INSERT`, `UPDATE` or `DELETE` changed.
    package var changeCount: Int { unsafe handle.map { unsafe Int(sqlite3_changes($0)) } ?? 0 }

    /// Runs statements without parameters, and ignores their rows.
    package func execute(_ sql: String) throws(SQLiteFailure) {
        let handle = try unsafe open()
        try unsafe check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    /// Returns a statement, which is parsed at its first use and kept.
    ///
    /// - Throws: ``SQLiteFailure``, also for a text that has more than one statement or none.
    func statement(_ sql: String) throws(SQLiteFailure) -> PreparedStatement {
        if let statement = statements[sql] { return statement }
        let handle = try unsafe open()
        var parsed: OpaquePointer?
        let (code, hasRest) = unsafe Self.numbered(sql).withCString { text in
            var rest: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &parsed, &rest)
            return unsafe (code, rest.map { unsafe String(cString: $0).contains { !$0.isWhitespace } } ?? false)
        }
        guard code == SQLITE_OK else { throw unsafe SQLiteFailure(code, handle, sql: sql) }
        guard let parsed = unsafe parsed, !hasRest else {
            _ = unsafe sqlite3_finalize(parsed)
            throw SQLiteFailure(code: SQLITE_MISUSE, message: "the text is not one statement", sql: sql)
        }
        let statement = unsafe PreparedStatement(parsed, of: handle, sql: sql)
        statements[sql] = statement
        return statement
    }

    /// Returns a statement with `?1` instead of `$1`. SQLite would give `$2` the number 1 where it comes first.
    private static func numbered(_ sql: String) -> String {
        String(sql.map { $0 == "$" ? "?" : $0 })
    }

    /// Returns the rows of a statement.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its parameters, `$1` first.
    package func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        let statement = try statement(sql)
        try statement.run(values) { row in rows.append((0..<statement.columnCount).map(row.value)) }
        return rows
    }

    /// Returns the first column of each row of a statement, as texts.
    ///
    /// - Throws: ``SQLiteFailure``, with `SQLITE_CORRUPT` for a value that is not a text in UTF-8.
    package func texts(_ sql: String) throws -> [String] {
        try rows(sql).map { row in
            guard case .text(let text) = row.first else {
                throw SQLiteFailure(code: SQLITE_CORRUPT, message: "a value is not a text", sql: sql)
            }
            return text
        }
    }

    /// Returns the number in the first column of the first row of a statement; nil if there is none.
    package func number(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        if case .integer(let number) = try rows(sql, values).first?.first { number } else { nil }
    }

    /// Runs a closure in a transaction, which is rolled back when the closure throws.
    package func transaction<R>(_ body: () throws -> R) throws -> R {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite may have rolled it back by itself.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// The kind of a checkpoint.
    enum Checkpoint: Sendable {
        /// As far as no read needs the earlier pages. It waits for nothing.
        case passive
        /// All of them, after the reads. The log is empty then.
        case truncating
    }

    /// Moves pages of the write-ahead log into the file.
    ///
    /// - Returns: Whether all pages of the log are in the file.
    @discardableResult
    func checkpoint(_ checkpoint: Checkpoint) throws(SQLiteFailure) -> Bool {
        let handle = try unsafe open()
        let mode = checkpoint == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        var (inLog, moved): (CInt, CInt) = (0, 0)
        try unsafe check(sqlite3_wal_checkpoint_v2(handle, nil, mode, &inLog, &moved))
        return inLog == moved
    }

    /// Copies the whole database into another one, which no other connection may have open.
    func copy(to other: SQLiteConnection) throws(SQLiteFailure) {
        let (source, target) = unsafe (try open(), try other.open())
        guard let backup = unsafe sqlite3_backup_init(target, "main", source, "main") else {
            throw unsafe SQLiteFailure(sqlite3_errcode(target), target, sql: nil)
        }
        _ = unsafe sqlite3_backup_step(backup, -1)
        // Returns the error of the step if it failed.
        try unsafe other.check(sqlite3_backup_finish(backup))
    }

    /// Calls a closure with the number of pages in the write-ahead log after each commit, instead of the
    /// checkpoints that SQLite would do.
    ///
    /// - Parameters:
    ///   - context: An object that must outlive the connection.
    ///   - hook: A function that gets the object and the number.
    func afterCommits(
        _ context: UnsafeMutableRawPointer,
        _ hook: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt
    ) throws(SQLiteFailure) {
        _ = unsafe sqlite3_wal_hook(try open(), hook, context)
    }

    /// Calls a closure with the SQL of each statement that runs, without its values.
    func traceStatements(_ body: @escaping @Sendable (String) -> Void) throws(SQLiteFailure) {
        let trace = Trace(body)
        self.trace = trace
        // SAFETY: the connection keeps the closure until it is closed.
        let context = unsafe Unmanaged.passUnretained(trace).toOpaque()
        let code = unsafe sqlite3_trace_v2(
            try open(), UInt32(SQLITE_TRACE_STMT),
            { _, context, _, sql in
                guard let context = unsafe context, let sql = unsafe sql else { return 0 }
                let trace = unsafe Unmanaged<Trace>.fromOpaque(context).takeUnretainedValue()
                unsafe trace.body(String(cString: sql.assumingMemoryBound(to: CChar.self)))
                return 0
            }, context)
        try check(code)
    }

    private final class Trace: Sendable {
        let body: @Sendable (String) -> Void

        init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }
    }

    private func open() throws(SQLiteFailure) -> OpaquePointer {
        guard let handle = unsafe handle else { throw .closed }
        return unsafe handle
    }

    private func check(_ code: CInt, _ sql: String? = nil) throws(SQLiteFailure) {
        guard code == SQLITE_OK else { throw unsafe SQLiteFailure(code, handle, sql: sql) }
    }
}
