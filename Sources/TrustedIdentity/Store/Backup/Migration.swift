internal import Primitives

/// The copy of all rows of a SQLite database into an empty database, such as one of PostgreSQL.
///
/// No other process may use either database meanwhile. The rows are copied as they are: sealed values, HMACs, numbers of
/// the audit log. The master key stays the same, and no entry of the audit log says that the rows were copied, because
/// both sides then have the same rows.
///
/// The target has a table `migration` until its rows were compared with the source. A database with that table
/// must not be served. A migration that was interrupted continues after the last row of each table.
package struct Migration: Sendable {
    /// The progress of a migration.
    package struct Progress: Sendable {
        /// What is done with the rows of a table.
        package enum Step: Sendable {
            /// They are copied.
            case copy
            /// They are compared with the copied ones.
            case comparison
        }

        /// What is done.
        package let step: Step
        /// The name of the table.
        package let table: String
        /// The rows of the table so far.
        package let rows: Int
        /// All rows of the table.
        package let total: Int
    }

    private let source: any SQLDatabase
    private let target: any SQLDatabase
    private let tables: [MigratedTable]
    private let batch: Int
    private let progress: @Sendable (Progress) -> Void

    /// Copies all rows, and compares them.
    ///
    /// Call it again after an interruption or an error. A target that is complete already is compared again.
    ///
    /// - Parameters:
    ///   - source: A SQLite database with a platform. It is only read.
    ///   - target: A database with the schema of this version, without rows, or with rows of an interrupted migration
    ///     of the same source.
    ///   - batch: The rows of a transaction, 1 or more.
    ///   - progress: Called after each transaction.
    /// - Returns: The number of rows of each table.
    /// - Throws: ``MigrationError``; `CancellationError`.
    package static func run(
        from source: any SQLDatabase, to target: any SQLDatabase, batch: Int = 1_000,
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> [String: Int] {
        let tables = try await Self.mapping("sqlite_schema") { try await source.read { try MigratedTable.all(in: $0) } }
        let migration = Migration(source: source, target: target, tables: tables, batch: batch, progress: progress)
        guard try await migration.begin() else { return try await migration.compare() }
        for table in tables { try await Self.mapping(table.name) { try await migration.copy(table) } }
        let rows = try await migration.compare()
        try await Self.mapping("event") { try await migration.end() }
        return rows
    }

    /// Checks that a master key opens the keys of a database, without which a copy would be useless.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - masterKeys: The master keys of the caller.
    ///   - tenant: The tenant of the database.
    /// - Throws: ``PlatformError`` with `wrongTenant`, `wrongMasterKey` and `storeFailed`, and with `alteredRow` when the
    ///   row about the platform is missing or was changed.
    package static func checkKeys(of database: any SQLDatabase, masterKeys: [MasterKey], tenant: String) async throws {
        try await PlatformError.mapping {
            let store = Store(database)
            guard let state = try await store.read({ try $0.platformState() }) else { throw PlatformError(.alteredRow) }
            let keys = try DataKeys(state, tenant: tenant, masterKeys: masterKeys)
            let opened = store.opened(
                RowAuthenticator(tenant: tenant, keys: keys), random: SystemRandomSource(), outbox: nil)
            _ = try await opened.read { try $0.currentState() }
        }
    }

    /// Marks the target as the one of this migration.
    ///
    /// - Returns: Whether there may be rows to copy: false for a target that was completed.
    private func begin() async throws -> Bool {
        guard let platform = tables.first(where: { $0.name == PlatformStateRecord.table.name }) else {
            throw MigrationError(.failed, table: PlatformStateRecord.table.name)
        }
        let source = try await digest(of: platform, in: source)
        guard source.rows == 1 else { throw MigrationError(.failed, table: platform.name) }
        do {
            try await Self.mapping("migration") {
                try await target.write { [tables] session in try Self.mark(session, Hex.encode(source.hash), tables) }
            }
            return true
        } catch let error as MigrationError where error.code == .notEmpty {
            // An earlier run may have been interrupted after its end.
            guard try await digest(of: platform, in: target) == source else { throw error }
            return false
        }
    }

    /// Makes the table `migration`, or checks the one that is there. An error leaves the target as it was.
    private static func mark(_ session: any SQLSession, _ source: String, _ tables: [MigratedTable]) throws {
        try session.run(
            "CREATE TABLE IF NOT EXISTS migration (id INTEGER PRIMARY KEY, source TEXT NOT NULL)", []
        ) { _ in }
        var marks: [String] = []
        try session.run("SELECT source FROM migration", []) { marks.append(try PositionedRow($0)[0]) }
        if let mark = marks.first {
            guard mark == source else { throw MigrationError(.otherSource) }
            return
        }
        for table in tables where try table.hasRows(in: session) { throw MigrationError(.notEmpty, table: table.name) }
        try session.run("INSERT INTO migration (id, source) VALUES (1, $1)", [.text(source)]) { _ in }
    }

    /// Copies the rows of a table after those that the target has. Each transaction inserts rows in the order of the
    /// primary key: the target has the first rows of the source, and no others.
    private func copy(_ table: MigratedTable) async throws {
        var last = try await target.read { try table.lastKey(in: $0) }
        // The target has the same rows up to its last key. It ends a statement after some seconds, which is too early for
        // a count of many rows.
        let (total, copied) = try await source.read { [last] session in
            (try table.count(in: session), try last.map { try table.count(through: $0, in: session) } ?? 0)
        }
        var count = copied
        while true {
            let page = try await source.read { [last] in try table.page(after: last, limit: batch, in: $0) }
            guard let row = page.last else { return }
            try await target.write { try table.insert(page, in: $0) }
            last = table.key(of: row)
            count += page.count
            progress(Progress(step: .copy, table: table.name, rows: count, total: total))
        }
    }

    /// Compares the rows of both databases.
    ///
    /// - Returns: The number of rows of each table.
    private func compare() async throws -> [String: Int] {
        var rows: [String: Int] = [:]
        for table in tables {
            let total = try await Self.mapping(table.name) { try await source.read { try table.count(in: $0) } }
            async let copied = digest(of: table, in: target)
            let original = try await digest(of: table, in: source) { [progress] in
                progress(Progress(step: .comparison, table: table.name, rows: $0, total: total))
            }
            guard try await copied == original else { throw MigrationError(.different, table: table.name) }
            rows[table.name] = original.rows
        }
        return rows
    }

    private func digest(
        of table: MigratedTable, in database: any SQLDatabase, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> MigratedTable.Digest {
        try await Self.mapping(table.name) { try await table.digest(in: database, batch: batch, progress: progress) }
    }

    /// Sets the number of the next event, which follows the numbers of all previous events, and removes the table
    /// `migration`.
    private func end() async throws {
        let last: Int64 = try await source.read { session in
            var last: Int64 = 0
            // The number of the latest event, also when it was delivered and removed.
            try session.run("SELECT seq FROM sqlite_sequence WHERE name = 'event'", []) {
                last = try PositionedRow($0)[0]
            }
            return last
        }
        try await target.write { session in
            switch session.dialect {
            case .sqlite:
                try session.run("DELETE FROM sqlite_sequence WHERE name = 'event'", []) { _ in }
                try session.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('event', $1)", [last.stored]) { _ in }
            case .postgreSQL where last > 0:
                try session.run("SELECT setval('event_numbers', $1)", [last.stored]) { _ in }
            case .postgreSQL: break
            }
            try session.run("DROP TABLE migration", []) { _ in }
        }
    }

    /// Adds the name of a table to a failure of a database.
    private static func mapping<R>(_ table: String, _ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let error as StoreError {
            throw MigrationError(.failed, table: table, underlying: error)
        }
    }
}
