internal import GRDB

extension SQLiteStore {
    /// Checks the pages of a database that another process may have open.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - thoroughly: Whether each entry of each index is compared with its row, too, which takes longer.
    /// - Returns: What is wrong, at most 100 findings of SQLite; none for a database without a fault.
    /// - Throws: ``SQLiteStoreError`` with `inaccessible`, and with `corrupt` when the file is no database.
    public static func check(path: String, thoroughly: Bool = false) async throws(SQLiteStoreError) -> [String] {
        do {
            var reading = Configuration()
            reading.readonly = true
            let database = try DatabaseQueue(path: path, configuration: reading)
            let pragma = thoroughly ? "integrity_check" : "quick_check"
            let findings = try await database.read { try String.fetchAll($0, sql: "PRAGMA \(pragma)(100)") }
            try database.close()
            return findings == ["ok"] ? [] : findings
        } catch {
            throw SQLiteStoreError(error)
        }
    }
}
