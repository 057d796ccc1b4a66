internal import CSQLite

/// An error of SQLite.
package struct SQLiteFailure: Error, CustomStringConvertible {
    /// The extended result code (<https://sqlite.org/rescode.html>).
    package let code: CInt

    /// SQLite's message.
    package let message: String

    /// The statement, without its values; nil if there is none.
    package let sql: String?

    /// The result code, of which the extended one is a case.
    package var primaryCode: CInt { code & 0xFF }

    package init(code: CInt, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// Creates the error of the latest call for a connection.
    init(_ code: CInt, _ connection: OpaquePointer?, sql: String?) {
        // A call may return the code of another error than the one that the message is about.
        let isLatest = unsafe connection.map { unsafe sqlite3_errcode($0) & 0xFF == code & 0xFF } ?? false
        let text = unsafe isLatest ? sqlite3_errmsg(connection) : sqlite3_errstr(code)
        self.init(code: code, message: unsafe text.map { unsafe String(cString: $0) } ?? "", sql: sql)
    }

    /// The error of a statement after SQLite has rolled the transaction back by itself.
    static var rolledBack: SQLiteFailure {
        SQLiteFailure(code: SQLITE_ABORT, message: "the transaction was rolled back")
    }

    /// The error of a statement after the database was closed.
    static var closed: SQLiteFailure { SQLiteFailure(code: SQLITE_MISUSE, message: "the database is closed") }

    package var description: String {
        "SQLite error \(code): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "")
    }
}
