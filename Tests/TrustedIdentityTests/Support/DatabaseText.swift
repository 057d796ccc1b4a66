import Foundation
import GRDB

/// The values of a database, to search for a text in all of them.
struct DatabaseText {
    private let database: DatabaseQueue

    init(_ path: String) throws { database = try DatabaseQueue(path: path) }

    /// Returns the columns of all tables in which a value has a text, each as `table.column`.
    func columns(with text: String) throws -> Set<String> {
        try database.read { database in
            var found = Set<String>()
            let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            for table in tables where !table.hasPrefix("sqlite_") {
                for column in try database.columns(in: table) {
                    let sql = "SELECT count(*) FROM \(table) WHERE instr(CAST(\(column.name) AS BLOB), ?) > 0"
                    let count = try Int.fetchOne(database, sql: sql, arguments: [Data(text.utf8)]) ?? 0
                    if count > 0 { found.insert("\(table).\(column.name)") }
                }
            }
            return found
        }
    }
}
