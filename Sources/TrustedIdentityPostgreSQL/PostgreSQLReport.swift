#if PostgreSQL
    internal import Primitives

    /// The report of a PostgreSQL server about itself and a database, for an administrator.
    public struct PostgreSQLReport: Sendable, Encodable {
        /// The version of the server, such as `15.18`.
        public let version: String
        /// The role of the connection.
        public let role: String
        /// The name of the database.
        public let database: String
        /// Whether the database accepts no writes, because it is a standby or because of a setting.
        public let isReadOnly: Bool
        /// Whether the connection is encrypted.
        public let isEncrypted: Bool
        /// The revision of the schema; 0 for a database without one.
        public let revision: Int
        /// Whether a migration into the database has not ended.
        public let isMigrationUnfinished: Bool
        /// Whether the role may write to the tables, or may create them where there are none.
        public let hasRights: Bool
        /// The time by which the server's clock is ahead of the clock of this process, in milliseconds.
        public let clockDifference: Int64
        /// The settings that determine safety and size, by name.
        public let settings: [String: String]

        /// The settings that a report contains.
        private static let names = [
            "fsync", "full_page_writes", "max_connections", "shared_buffers", "synchronous_commit",
            "synchronous_standby_names", "wal_level",
        ]

        init(_ connection: PostgreSQLConnection, _ server: ServerState) throws {
            let row =
                try connection.execute(
                    """
                    SELECT current_user, current_database(),
                        coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
                        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
                        coalesce(
                            has_table_privilege(to_regclass('platform_state')::oid, 'UPDATE')
                            AND has_table_privilege(to_regclass('audit')::oid, 'INSERT'), false)
                    """
                ).first ?? []
            guard row.count == 5 else { throw PostgreSQLFailure("the server gives another answer than PostgreSQL") }
            version = server.version
            role = row[0] ?? ""
            database = row[1] ?? ""
            isEncrypted = row[2] == "t"
            isReadOnly = server.isReadOnly
            clockDifference = server.clockDifference.wholeMilliseconds
            revision = try PostgreSQLSchema.revision(of: connection)
            isMigrationUnfinished = try PostgreSQLSchema.isUnfinished(connection)
            hasRights = row[revision == 0 ? 3 : 4] == "t"
            let rows = try connection.execute(
                "SELECT name, current_setting(name) FROM pg_settings WHERE name IN ('\(Self.names.joined(separator: "', '"))')"
            )
            settings = Dictionary(rows.map { ($0[0] ?? "", $0[1] ?? "") }) { first, _ in first }
        }
    }
#endif
