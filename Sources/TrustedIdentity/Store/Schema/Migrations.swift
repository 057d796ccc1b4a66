internal import CSQLite

/// The revisions of the schema in a SQLite file, which has the number of the last one as `user_version`.
enum Migrations {
    /// The `application_id` of the file, which a file of another program does not have: "TIdy".
    static let application: Int64 = 0x5449_6479

    /// Returns the revision of a database, 0 for an empty one.
    ///
    /// - Throws: ``DatabaseError`` with `newerSchema` when this version does not know the revision of the database,
    ///   and with `inaccessible` for a database of another program, and for a SQLite library that has no strict tables.
    static func revision(of connection: SQLiteConnection) throws -> Int {
        guard sqlite3_libversion_number() >= 3_037_000 else {
            throw DatabaseError(.inaccessible, "the SQLite library is older than 3.37: update it")
        }
        guard try connection.number("SELECT count(*) FROM sqlite_schema") != 0 else { return 0 }
        guard try connection.number("PRAGMA application_id") == application else {
            throw DatabaseError(.inaccessible, "the file is a database of another program: name another file")
        }
        let revision = Int(try connection.number("PRAGMA user_version") ?? 0)
        guard revision <= Schema.revisions(.sqlite).count else {
            throw DatabaseError(.newerSchema, "the database was written by a newer version of this program")
        }
        return max(0, revision)
    }

    /// Brings a database to the current revision, each step in one transaction. Its rows stay.
    ///
    /// - Throws: As ``revision(of:)``.
    static func migrate(_ connection: SQLiteConnection) throws {
        for (index, statements) in Schema.revisions(.sqlite).enumerated().dropFirst(try revision(of: connection)) {
            try connection.transaction {
                for statement in statements { try connection.execute(statement) }
                try connection.execute("PRAGMA application_id = \(application)")
                try connection.execute("PRAGMA user_version = \(index + 1)")
            }
        }
    }
}
