internal import CSQLite

/// A transaction of a SQLite database: the connection, during one closure.
struct SQLiteSession: SQLSession {
    let connection: SQLiteConnection

    /// Runs a statement, which is parsed once for each connection.
    ///
    /// - Throws: ``SQLiteFailure``, with `SQLITE_ABORT` after SQLite has rolled the transaction back by itself, as it
    ///   does after a full disk or an I/O error. A job that goes on after such an error would otherwise commit each of
    ///   its further statements alone, and the callers of all jobs in the transaction get an error.
    func run(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Void) throws -> Int {
        guard connection.isInTransaction else { throw SQLiteFailure.rolledBack }
        try connection.statement(sql).run(values, read)
        return connection.changeCount
    }
}
