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

extension DatabaseError {
    static let damaged = "the database is damaged: restore it from a backup"

    /// Creates the error of an opening or closing of a SQLite database that failed.
    init(_ error: any Error, fileID: String = #fileID, line: Int = #line) {
        if let error = error as? DatabaseError {
            self = error
            return
        }
        let failure = (error as? SQLiteFailure).map { StoreError($0) }
        if failure?.code == .corrupt {
            self.init(.corrupt, Self.damaged, underlying: error, fileID: fileID, line: line)
        } else {
            self.init(.inaccessible, "the database cannot be used", underlying: error, fileID: fileID, line: line)
        }
    }
}

extension StoreError {
    /// Creates the error of a statement or commit that failed, of the kind that SQLite's result code says.
    init(_ error: SQLiteFailure, fileID: String = #fileID, line: Int = #line) {
        self.init(
            Code(resultCode: error.code), resultCode: "\(error.code)", underlying: error,
            fileID: fileID, line: line)
    }
}

extension StoreError.Code {
    /// Creates the kind of an extended result code (<https://sqlite.org/rescode.html>).
    init(resultCode: CInt) {
        self =
            switch (resultCode, resultCode & 0xFF) {
            case (SQLITE_IOERR | (33 << 8), _): .corrupt  // SQLITE_IOERR_CORRUPTFS
            case (_, SQLITE_FULL): .full
            case (_, SQLITE_IOERR), (_, SQLITE_CANTOPEN), (_, SQLITE_READONLY), (_, SQLITE_PERM): .inputOutput
            case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): .busy
            case (_, SQLITE_CORRUPT), (_, SQLITE_NOTADB): .corrupt
            default: .other
            }
    }
}
