#if PostgreSQL
    internal import Primitives

    /// What a server of PostgreSQL reports about itself and a database, for an administrator.
    public struct PostgreSQLReport: Sendable, Encodable {
        /// The version of the server, such as `15.18`.
        public let version: String
        /// The role of the connection.
        public let role: String
        /// The name of the database.
        public let database: String
        /// Whether the database takes no writes: a standby, or a setting.
        public let isReadOnly: Bool
        /// Whether the connection is encrypted.
        public let isEncrypted: Bool
        /// The revision of the schema; 0 for a database without one.
        public let revision: Int
        /// The time by which the clock of the server is ahead of this process, in milliseconds.
        public let clockDifference: Int64
        /// The settings that decide about safety and size, by name.
        public let settings: [String: String]

        /// The settings that a report has.
        private static let names = [
            "fsync", "full_page_writes", "max_connections", "shared_buffers", "synchronous_commit",
            "synchronous_standby_names", "wal_level",
        ]

        init(_ connection: PostgreSQLConnection, _ server: ServerState) throws {
            let row =
                try connection.execute(
                    """
                    SELECT current_user, current_database(),
                        coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)
                    """
                ).first ?? []
            version = server.version
            role = row.first.flatMap(\.self) ?? ""
            database = row.dropFirst().first.flatMap(\.self) ?? ""
            isEncrypted = row.last == "t"
            isReadOnly = server.isReadOnly
            clockDifference = server.clockDifference.wholeMilliseconds
            revision = try PostgreSQLSchema.revision(of: connection)
            let rows = try connection.execute(
                "SELECT name, current_setting(name) FROM pg_settings WHERE name IN ('\(Self.names.joined(separator: "', '"))')"
            )
            settings = Dictionary(rows.map { ($0[0] ?? "", $0[1] ?? "") }) { first, _ in first }
        }
    }
#endif
