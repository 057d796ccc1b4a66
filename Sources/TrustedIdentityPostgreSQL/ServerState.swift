#if PostgreSQL
    internal import CLibrary
    internal import Primitives
    internal import TrustedIdentity

    /// The state that a server reports when a connection is opened, and the program's requirements of it.
    struct ServerState {
        let version: String
        /// The server process of the connection.
        let backend: PostgreSQLConnection.Backend
        let isReadOnly: Bool
        /// The time by which the server's clock is ahead of the clock of this process.
        let clockDifference: Duration

        /// The number of attempts to get the lock, 100 ms apart. A session that was cut holds it for a moment longer.
        private static let attempts = 20

        /// Prepares a new connection: sets its time limits, and takes the program's lock. The connection keeps the
        /// state.
        ///
        /// - Parameters:
        ///   - access: The access of other processes.
        ///   - time: The clock of this process.
        /// - Throws: `DatabaseError` with `inUse` and `unsuitable`; ``PostgreSQLFailure``.
        init(preparing connection: PostgreSQLConnection, _ access: PostgreSQLDatabase.Access, _ time: any TimeSource)
            throws
        {
            let lock = access == .shared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"
            func isLocked() throws(PostgreSQLFailure) -> Bool {
                try connection.execute("SELECT \(lock)(\(SessionLock.keys(.use)))").first?.first == "t"
            }
            var attempt = 1
            while try !isLocked() {
                guard attempt < Self.attempts else {
                    throw DatabaseError(
                        .inUse,
                        access == .shared
                            ? "a process has the database for itself: wait until it ends"
                            : "other processes have the database open: stop all servers first")
                }
                attempt += 1
                usleep(100_000)
            }
            let begin = time.now()
            // The server ends a statement before this process stops waiting for it. Without sequential scans, a plan
            // that was made for an empty table stays suitable, and a transaction does not lock a whole table.
            let rows = try connection.execute(
                """
                SET statement_timeout = 6000; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 30000;
                SET idle_session_timeout = 0; SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;
                SET tcp_keepalives_count = 2; SET tcp_user_timeout = 10000;
                SET enable_seqscan = off;
                SELECT current_setting('server_encoding'), current_setting('fsync'), current_setting('full_page_writes'),
                    current_setting('synchronous_commit'),
                    \(Self.isReadOnly), \(Self.clock), pg_backend_pid(),
                    current_setting('server_version'), current_setting('server_version_num'),
                    (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
                """)
            let end = time.now()
            guard let row = rows.first, row.count == 10, let clock = row[5].flatMap({ Int64($0) }),
                let process = row[6], let number = row[8].flatMap({ Int($0) }), let start = row[9]
            else { throw PostgreSQLFailure("the server gives another answer than PostgreSQL") }
            guard number >= 150_000 else {
                throw DatabaseError(.unsuitable, "the server is older than PostgreSQL 15: update it")
            }
            for (name, value) in [("fsync", row[1]), ("full_page_writes", row[2])] where value != "on" {
                throw DatabaseError(
                    .unsuitable, "the server has \(name) = \(value ?? ""): a used code could come back; set it to on")
            }
            guard ["on", "remote_apply"].contains(row[3]) else {
                throw DatabaseError(
                    .unsuitable,
                    "the role or the database has synchronous_commit = \(row[3] ?? ""): a used code could come back; set it to on"
                )
            }
            guard row[0] == "UTF8" else {
                throw DatabaseError(
                    .unsuitable, "the database has the encoding \(row[0] ?? ""): make one with UTF8")
            }
            version = row[7] ?? ""
            backend = .init(process: process, start: start)
            isReadOnly = row[4] == "t"
            clockDifference = Self.difference(of: clock, from: begin, to: end)
            connection.server = self
        }

        /// Whether the database accepts no writes, in SQL.
        static let isReadOnly = "pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'"
        /// The milliseconds since 1970 by the clock of the server, in SQL.
        static let clock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

        /// Returns the time by which a clock is ahead that was read between two times.
        static func difference(of clock: Int64, from begin: Timestamp, to end: Timestamp) -> Duration {
            .milliseconds(clock - begin.millisecondsSinceEpoch - end.milliseconds(since: begin) / 2)
        }
    }
#endif
