internal import CSQLite

/// A statement that a connection has parsed. It is valid until the connection is closed.
@safe struct PreparedStatement: SQLRow {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String

    init(_ handle: OpaquePointer, of connection: OpaquePointer, sql: String) {
        unsafe self.handle = handle
        unsafe self.connection = connection
        self.sql = sql
    }

    /// Frees the statement. The result would be the error of its latest run, which was thrown.
    func finalize() { _ = unsafe sqlite3_finalize(handle) }

    /// Runs the statement with the values of its parameters in their order.
    ///
    /// - Parameter read: A closure that reads a row. The row is valid until the closure returns.
    func run(_ values: [SQLValue], _ read: (any SQLRow) throws -> Void = { _ in }) throws {
        let statement = unsafe handle
        // The same text, run while its rows are read, would end the outer run.
        guard unsafe sqlite3_stmt_busy(statement) == 0 else { throw error(SQLITE_MISUSE) }
        defer {
            // The result is the error of a step that failed, which was thrown.
            _ = unsafe sqlite3_reset(statement)
            // A value may be a hash of a secret: it goes with the statement.
            _ = unsafe sqlite3_clear_bindings(statement)
        }
        // The highest number of a parameter.
        guard unsafe Int(sqlite3_bind_parameter_count(statement)) == values.count else { throw error(SQLITE_MISUSE) }
        for (index, value) in values.enumerated() { try check(bind(value, at: CInt(index + 1))) }
        let row: any SQLRow = self
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: try read(row)
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    /// The number of columns of a row.
    var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

    /// Returns a value of the current row.
    ///
    /// - Parameter column: The position of the column, less than ``columnCount``.
    func value(_ column: Int) -> SQLValue {
        let (statement, column) = unsafe (handle, CInt(column))
        return switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: unsafe .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            // A repaired text would be equal to another one, and a change of the row would not change its HMAC.
            unsafe String(validating: bytes(sqlite3_column_text(statement, column), column), as: UTF8.self)
                .map { .text($0) } ?? .other
        case SQLITE_BLOB: unsafe .blob(Array(bytes(sqlite3_column_blob(statement, column), column)))
        default: .other
        }
    }

    private func bind(_ value: SQLValue, at index: CInt) -> CInt {
        let statement = unsafe handle
        switch value {
        case .null: return unsafe sqlite3_bind_null(statement, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let count = CInt(exactly: bytes.count) else { return SQLITE_TOOBIG }
                // An empty text may have no address, which SQLite would take for NULL.
                guard let start = bytes.baseAddress else {
                    return unsafe sqlite3_bind_text(statement, index, "", 0, Self.copies)
                }
                return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    unsafe sqlite3_bind_text(statement, index, $0, count, Self.copies)
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(statement, index, 0) }
            guard let count = CInt(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return unsafe bytes.withUnsafeBytes {
                unsafe sqlite3_bind_blob(statement, index, $0.baseAddress, count, Self.copies)
            }
        case .other: return SQLITE_MISMATCH
        }
    }

    /// The bytes of a text or a blob of the current row, which SQLite owns.
    private func bytes(_ start: UnsafeRawPointer?, _ column: CInt) -> UnsafeRawBufferPointer {
        // After the text, because SQLite may convert it.
        unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw error(code) }
    }

    private func error(_ code: CInt) -> SQLiteFailure { unsafe SQLiteFailure(code, connection, sql: sql) }

    /// SQLite's `SQLITE_TRANSIENT`: the value is copied before the function returns.
    private static var copies: sqlite3_destructor_type {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
