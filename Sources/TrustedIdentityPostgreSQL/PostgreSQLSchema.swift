#if PostgreSQL
    internal import TrustedIdentity

    /// The revisions of the schema in a database. The table `schema_revision` contains a row for each.
    package enum PostgreSQLSchema {
        /// The schema that a caller needs.
        package enum Requirement: Sendable {
            /// The schema of this version. A database without tables, or of an older version, is brought to it.
            case latest
            /// The schema of this version. Nothing is changed, because other processes may run an older version.
            case existing
            /// Like ``latest``, for a database into which a migration may have begun.
            case migration
        }

        /// The table that a migration creates at its beginning and drops at its end.
        private static let migrationTable = "migration"

        private static let table = "schema_revision"

        /// Returns the revision of a database, 0 for an empty one.
        ///
        /// - Throws: `DatabaseError` with `unsuitable` for a database of another program, ``PostgreSQLFailure``.
        static func revision(of connection: PostgreSQLConnection) throws -> Int {
            let names = Set(
                try connection.execute(
                    "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
                ).compactMap { $0[0] })
            guard names.contains(table) else {
                guard names.isEmpty else {
                    throw DatabaseError(
                        .unsuitable, "the database has tables of another program: name an empty one")
                }
                return 0
            }
            return try connection.execute("SELECT max(revision) FROM \(table)").first?.first?.flatMap { Int($0) } ?? 0
        }

        /// Whether a migration into the database has begun and not ended.
        static func isUnfinished(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> Bool {
            try connection.execute("SELECT to_regclass('\(migrationTable)')").first?.first.flatMap(\.self) != nil
        }

        /// Brings a database to the schema that a caller needs, if the caller may change it.
        ///
        /// - Throws: As ``revision(of:)``; `DatabaseError` with `unfinished`, `newerSchema` and `noPlatform`, and
        ///   with `unsuitable` for an older revision of a database that accepts no writes.
        static func meet(
            _ requirement: Requirement, in connection: PostgreSQLConnection, at address: PostgreSQLAddress
        ) throws {
            if requirement != .migration, try isUnfinished(connection) {
                throw DatabaseError(.unfinished, "a migration into the database at \(address) has not ended")
            }
            let (revision, latest) = (try revision(of: connection), Schema.revisions(.postgreSQL).count)
            guard revision <= latest else { throw newerSchema }
            // A server that runs reads the catalog only.
            guard revision < latest else { return }
            guard requirement != .existing else {
                throw DatabaseError(.noPlatform, "there is no platform of this version in the database at \(address)")
            }
            guard connection.server?.isReadOnly == false else {
                throw DatabaseError(
                    .unsuitable,
                    "the database takes no writes, and has no tables of this version: connect to the primary")
            }
            try migrate(connection, to: latest)
        }

        private static var newerSchema: DatabaseError {
            DatabaseError(.newerSchema, "the database was written by a newer version of this program")
        }

        /// Brings a database to the latest revision in one transaction. Its rows stay.
        private static func migrate(_ connection: PostgreSQLConnection, to latest: Int) throws {
            // At a higher isolation, the snapshot would be older than the lock.
            try connection.execute(
                "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(\(SessionLock.keys(.schema)))")
            do {
                // Changing a large table takes longer than the limit of other statements.
                try connection.execute("SET LOCAL statement_timeout = 0")
                // Another process may have changed the schema first.
                let revision = try revision(of: connection)
                guard revision <= latest else { throw newerSchema }
                if revision == 0 { try connection.execute("CREATE TABLE \(table) (revision BIGINT PRIMARY KEY)") }
                for (index, statements) in Schema.revisions(.postgreSQL).enumerated().dropFirst(revision) {
                    for statement in statements { try connection.execute(statement) }
                    try connection.execute("INSERT INTO \(table) (revision) VALUES (\(index + 1))")
                }
                try connection.execute("COMMIT")
            } catch {
                _ = try? connection.execute("ROLLBACK")
                throw error
            }
        }
    }

    /// The advisory locks of the program. They belong to a session and end with it.
    enum SessionLock: Int32 {
        /// Shared by servers and administration; exclusive for operations that need the database for themselves.
        case use = 1
        /// The change of the schema.
        case schema = 2
        /// The delivery of events.
        case eventDelivery = 3

        /// Returns the two keys: "TIdy" and the number of the lock.
        static func keys(_ lock: SessionLock) -> String { "\(0x5449_6479), \(lock.rawValue)" }
    }
#endif
