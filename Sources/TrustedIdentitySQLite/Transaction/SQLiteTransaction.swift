internal import GRDB
internal import TrustedIdentity

/// A transaction of the store: the connection that it runs on, during one closure.
struct SQLiteTransaction {
    let database: Database

    /// Runs a statement and returns how many rows it changed. Statements are parsed once a connection.
    func run(_ sql: String, _ values: [Value?]) throws -> Int {
        let statement = try database.cachedStatement(sql: sql)
        try statement.execute(arguments: StatementArguments(values))
        return database.changesCount
    }

    /// The rows of a statement.
    func rows<R>(_ sql: String, _ values: [Value?], _ make: (inout Columns) throws -> R) throws -> [R] {
        let statement = try database.cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(values))
        var result: [R] = []
        while let row = try rows.next() {
            var columns = Columns(row)
            result.append(try make(&columns))
        }
        return result
    }

    /// The records that a condition picks, in the order that it says.
    func records<R: StoredRecord>(_ condition: String, _ values: [Value?] = []) throws -> [R] {
        try rows(R.table.select + " " + condition, values) { try R(&$0) }
    }

    /// The record that a condition picks.
    func record<R: StoredRecord>(_ condition: String, _ values: [Value?] = []) throws -> R? {
        let found: [R] = try records(condition, values)
        return found.first
    }

    /// Stores a new row. False when its key is taken.
    func insertRow(_ record: some StoredRecord) throws -> Bool {
        try run(type(of: record).table.insert, record.keyValues + record.otherValues) == 1
    }

    /// The compare-and-set: one statement, which changes the row only when the version is still the record's.
    func updateRow(_ record: some VersionedRecord) throws -> Bool {
        let values = record.otherValues
        return try run(
            type(of: record).table.updateIfVersion, values.dropLast() + record.keyValues + values.suffix(1)) == 1
    }
}
