internal import GRDB

/// The schema, as the list of steps that made it. Steps are appended; one that was released is never changed.
enum Migrations {
    /// Brings a database to the present schema.
    ///
    /// - Throws: ``SQLiteStoreError/Code/newerSchema`` when it knows a step that this version does not.
    static func migrate(_ pool: DatabasePool) throws {
        let migrator = migrator()
        guard try !pool.read({ try migrator.hasBeenSuperseded($0) }) else {
            throw SQLiteStoreError(.newerSchema, "the database was written by a newer version of this program")
        }
        try migrator.migrate(pool)
    }

    private static func migrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts, devices, keys, audit") { database in
            for statement in InitialSchema.statements { try database.execute(sql: statement) }
        }
        migrator.registerMigration("2 sources of exchanges, tallies, what is to be forgotten") { database in
            for statement in RetentionSchema.statements { try database.execute(sql: statement) }
        }
        return migrator
    }
}
