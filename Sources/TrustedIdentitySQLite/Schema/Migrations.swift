internal import GRDB

/// The revisions of the schema. A revision is appended; a released one is never changed.
enum Migrations {
    private static let revisions = [("1", Schema.statements)]

    /// Brings a database to the current revision. Its rows stay.
    ///
    /// - Throws: ``SQLiteStoreError/Code/newerSchema`` when the database has a revision that this version does not know.
    static func migrate(_ pool: DatabasePool) throws {
        var migrator = DatabaseMigrator()
        for (name, statements) in revisions {
            migrator.registerMigration(name) { database in
                for statement in statements { try database.execute(sql: statement) }
            }
        }
        guard try !pool.read({ [migrator] in try migrator.hasBeenSuperseded($0) }) else {
            throw SQLiteStoreError(.newerSchema, "the database was written by a newer version of this program")
        }
        try migrator.migrate(pool)
    }
}
