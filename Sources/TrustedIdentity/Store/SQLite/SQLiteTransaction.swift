/// A transaction of the store: the connection, during one closure. The statements of a table are in `Records`, beside
/// its columns.
struct SQLiteTransaction: StoreReader, StoreTransaction {
    let database: SQLiteConnection

    /// Runs a statement, which is parsed once for each connection.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its named parameters.
    /// - Returns: The number of rows that it changed.
    @discardableResult
    func run(_ sql: String, _ values: Parameters = [:]) throws -> Int {
        try statement(sql).run(values)
        return database.changeCount
    }

    /// Runs a statement with the values of its parameters in their order.
    private func run(_ sql: String, _ values: [StoredValue]) throws -> Int {
        try statement(sql).run(values)
        return database.changeCount
    }

    /// Returns a statement, which is parsed once for each connection.
    ///
    /// - Throws: ``SQLiteFailure`` with `SQLITE_ABORT` after SQLite has rolled the transaction back by itself, as it does
    ///   after a full disk or an I/O error. A job that goes on after such an error would otherwise commit each of its
    ///   further statements alone, and the callers of all jobs in the transaction get an error.
    func statement(_ sql: String) throws -> PreparedStatement {
        guard database.isInTransaction else {
            throw SQLiteFailure.rolledBack
        }
        return try database.statement(sql)
    }

    /// Returns the records that a condition selects, in the order that it names.
    ///
    /// - Parameter table: The table, or another one with its columns.
    func records<Record: StoredRecord>(
        from table: Table<Record> = Record.table, _ condition: String = "", _ values: Parameters = [:]
    ) throws -> [Record] {
        try rows(table.select + " " + condition, values) { row in
            try Record(row: StoredRow(row, positions: table.positions))
        }
    }

    /// Returns the record that a condition selects.
    func record<Record: StoredRecord>(
        _ condition: String = "", _ values: Parameters = [:]
    ) throws -> Record? {
        let found: [Record] = try records(condition, values)
        return found.first
    }

    /// Returns the first column of the first row.
    func value<Value: ColumnValue>(_ sql: String, _ values: Parameters = [:]) throws -> Value? {
        let found: [Value] = try self.values(sql, values)
        return found.first
    }

    /// Returns the first column of each row.
    func values<Value: ColumnValue>(_ sql: String, _ values: Parameters = [:]) throws -> [Value] {
        try rows(sql, values) { row in try StoredRow(row, positions: ["value": 0])["value"] }
    }

    private func rows<R>(
        _ sql: String, _ values: Parameters, _ read: (PreparedStatement) throws -> R
    ) throws -> [R] {
        var result: [R] = []
        try statement(sql).run(values) { row in result.append(try read(row)) }
        return result
    }

    /// Inserts a row.
    ///
    /// - Returns: Whether there was none with its key.
    func insertRow<Record: StoredRecord>(_ record: Record) throws -> Bool {
        try run(Record.table.insert, Record.table.insertArguments(record)) == 1
    }

    /// Inserts a row in the place of the one with its key, if there is one.
    func replaceRow<Record: StoredRecord>(_ record: Record) throws {
        _ = try run(Record.table.replace, Record.table.insertArguments(record))
    }

    /// Replaces a row in one statement if its version still is the record's, and counts the version up.
    ///
    /// - Returns: Whether it was.
    func compareAndSet<Record: StoredRecord & VersionedRecord>(_ record: Record) throws -> Bool {
        try run(Record.table.compareAndSet, Record.table.compareAndSetArguments(record)) == 1
    }
}
