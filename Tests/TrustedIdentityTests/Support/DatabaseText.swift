import TrustedIdentity

/// The values of a database, to search for a text in all of them.
struct DatabaseText {
    private let database: SQLiteConnection

    init(_ path: String) throws { database = try SQLiteConnection(path) }

    /// Returns the columns of all tables in which a value has a text, each as `table.column`.
    func columns(with text: String) throws -> Set<String> {
        var found = Set<String>()
        for table in try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        where !table.hasPrefix("sqlite_") {
            for column in try database.texts("SELECT name FROM pragma_table_info('\(table)')") {
                let sql = "SELECT count(*) FROM \(table) WHERE instr(CAST(\(column) AS BLOB), ?) > 0"
                let count = try database.number(sql, [.blob(Array(text.utf8))]) ?? 0
                if count > 0 { found.insert("\(table).\(column)") }
            }
        }
        return found
    }
}
