extension SQLiteDatabase {
    /// Checks the pages of a database that another process may have open.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - thoroughly: Whether each entry of each index is compared with its row, too, which takes longer.
    /// - Returns: What is wrong, at most 100 findings of SQLite; none for a database without a fault.
    /// - Throws: ``DatabaseError`` with `inaccessible`, and with `corrupt` when the file is not a database.
    public static func check(path: String, thoroughly: Bool = false) async throws(DatabaseError) -> [String] {
        do {
            let findings = try await QueuedConnection(SQLiteConnection(path, .reading)).run { database in
                defer { try? database.close() }
                return try database.texts("PRAGMA \(thoroughly ? "integrity_check" : "quick_check")(100)")
            }
            return findings == ["ok"] ? [] : findings
        } catch {
            throw DatabaseError(error)
        }
    }
}
