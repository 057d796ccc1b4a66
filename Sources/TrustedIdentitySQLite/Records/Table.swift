/// A table of the schema: its name, its key, and the statements that follow from them.
struct Table: Sendable {
    let insert: String
    let replace: String
    let select: String
    /// For versioned records only.
    let updateIfVersion: String

    /// - Parameters:
    ///   - keys: the columns of the primary key, which come first in a record's values.
    ///   - columns: the others, in the order of a record's values. A `version` comes last.
    init(_ name: String, keys: [String], columns: [String]) {
        let all = keys + columns
        let places = all.map { _ in "?" }.joined(separator: ", ")
        let values = "\(name) (\(all.joined(separator: ", "))) VALUES (\(places))"
        let key = keys.map { "\($0) = ?" }.joined(separator: " AND ")
        let assignments = columns.dropLast().map { "\($0) = ?" } + ["version = version + 1"]
        // A conflict with the key is an answer; a violated check is an error all the same.
        insert = "INSERT INTO \(values) ON CONFLICT (\(keys.joined(separator: ", "))) DO NOTHING"
        replace = "INSERT OR REPLACE INTO \(values)"
        select = "SELECT \(all.joined(separator: ", ")) FROM \(name)"
        updateIfVersion =
            "UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE \(key) AND version = ?"
    }
}
