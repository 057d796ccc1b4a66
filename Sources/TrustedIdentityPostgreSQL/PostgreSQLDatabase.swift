#if PostgreSQL
    internal import CLibrary
    public import Logging
    public import Primitives
    public import TrustedIdentity

    /// The database of a platform on a server of PostgreSQL, 15 or later, which several processes share.
    ///
    /// Each connection has a serial queue, and is opened when it is needed. A write is a serializable transaction. A
    /// transaction that conflicts with another one is rolled back, and its closure is called again. A read is a
    /// snapshot.
    ///
    /// When ``write(_:)`` returns, the server has synced the commit. A server with `fsync = off`, with
    /// `full_page_writes = off` or with a `synchronous_commit` lower than `on` is refused. When the connection is cut
    /// during a commit, the transaction is looked up on another connection by the id of its audit log entry. A
    /// transaction without an entry, or whose result cannot be learned, ends with `inputOutput`.
    ///
    /// While the server is unavailable or accepts no writes, calls fail with `inputOutput`: within half a minute when
    /// the server does not answer, and otherwise at once. Later calls succeed again without a restart of the process.
    ///
    /// Call ``close()`` at the end. A database that is released without it keeps its connections and locks.
    ///
    /// Any number of tasks may call a database. Its errors are `StoreError`. PostgreSQL's code determines their kind.
    public final class PostgreSQLDatabase: SQLDatabase {
        /// The access of other processes to the database.
        public enum Access: Sendable {
            /// Other processes with this access.
            case shared
            /// No other process. The database then uses one connection.
            case exclusive
        }

        /// The numbers of connections that a process can have.
        public static let connectionLimits = 4...64
        /// The maximum number of attempts of a transaction that conflicts with others.
        private static let attempts = 100
        /// The maximum time for finding out the result of a commit.
        private static let lookupTime = Duration.seconds(10)

        private let pool: ConnectionPool
        private let listener: Peers?
        private let isolation: String
        private let time: any TimeSource

        /// Opens a database, and brings its schema to this version.
        ///
        /// - Parameters:
        ///   - address: The address.
        ///   - connections: The maximum number of connections that read and write, ``connectionLimits``. One more listens.
        ///   - access: The access of other processes.
        ///   - writerLimits: The limits of the requests that wait for a connection.
        ///   - time: The clock that is compared with the server's clock.
        ///   - logger: A logger for what happens to the connections.
        /// - Throws: `DatabaseError`.
        public convenience init(
            _ address: PostgreSQLAddress, connections: Int = 16, access: Access = .shared,
            writerLimits: WriterLimits = .init(), time: any TimeSource = SystemTimeSource(),
            logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() }
        ) async throws(DatabaseError) {
            try await self.init(
                address, connections: connections, access: access, writerLimits: writerLimits, time: time,
                logger: logger, schema: .latest)
        }

        /// Opens a database as the public initializer does.
        ///
        /// - Parameters:
        ///   - schema: The schema that the database must have.
        ///   - isolation: The isolation of writes. Values other than `SERIALIZABLE` are for benchmarks, and for tests
        ///     that show why it is needed.
        package init(
            _ address: PostgreSQLAddress, connections: Int = 16, access: Access = .shared,
            writerLimits: WriterLimits = .init(), time: any TimeSource = SystemTimeSource(),
            logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
            schema: PostgreSQLSchema.Requirement, isolation: String = "SERIALIZABLE"
        ) async throws(DatabaseError) {
            let limits = Self.connectionLimits
            let size = access == .exclusive ? 1 : min(max(connections, limits.lowerBound), limits.upperBound)
            let open: @Sendable () throws -> PostgreSQLConnection = {
                let connection = try PostgreSQLConnection(address)
                _ = try ServerState(preparing: connection, access, time)
                return connection
            }
            pool = ConnectionPool(size: size, limits: writerLimits, logger: logger, open: open)
            self.isolation = isolation
            self.time = time
            let isFirst: Bool
            do {
                isFirst = try await pool.run { lease in
                    let isFirst = try Self.isUnused(PostgreSQLConnection(address))
                    let connection = try lease.connection()
                    try Self.refusePooler(connection) { try PostgreSQLConnection(address) }
                    try PostgreSQLSchema.meet(schema, in: connection, at: address)
                    return isFirst
                }
            } catch {
                await pool.close()
                throw DatabaseError(error, at: address)
            }
            listener = access == .shared ? Peers(isFirst: isFirst, pool: pool, logger: logger, open: open) : nil
            listener?.run()
        }

        /// Closes the connections, each after its transaction.
        public func close() async {
            await listener?.close()
            await pool.close()
        }

        /// Connects, and returns the server's report about itself. It changes nothing.
        ///
        /// - Throws: `DatabaseError`, as the initializer does.
        public static func report(
            on address: PostgreSQLAddress
        ) async throws(DatabaseError) -> PostgreSQLReport {
            let open: @Sendable () throws -> PostgreSQLConnection = { try PostgreSQLConnection(address) }
            let pool = ConnectionPool(
                size: 1, limits: WriterLimits(),
                logger: Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() }, open: open)
            do {
                let report = try await pool.run { lease in
                    let connection = try lease.connection()
                    let server = try ServerState(preparing: connection, .shared, SystemTimeSource())
                    try refusePooler(connection, open)
                    return try PostgreSQLReport(connection, server)
                }
                await pool.close()
                return report
            } catch {
                await pool.close()
                throw DatabaseError(error, at: address)
            }
        }

        /// PostgreSQL's dialect of SQL.
        public var dialect: SQLDialect { .postgreSQL }

        /// The other processes; `nil` for a database that only this process uses.
        public var peers: (any DatabasePeers)? { listener }

        /// Reads in a snapshot.
        public func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
            try await mappingFailures { [self] in
                try await pool.run { lease in
                    // A lost answer to its commit loses no change.
                    try Self.transaction(lease, "REPEATABLE READ, READ ONLY", body) { _, _ in }
                }
            }
        }

        /// Runs the closure in a serializable transaction, and returns after the server has synced it.
        public func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
            let progress = RequestProgress.current
            let result = try await mappingFailures { [self] in
                let begin = ContinuousClock.now
                var attempt = 1
                while true {
                    do {
                        return try await pool.run(since: begin) { [isolation] lease in
                            try Self.transaction(lease, isolation, body) { failure, session in
                                try Self.resolve(failure, session.entry, of: session.backend, by: lease)
                            }
                        }
                    } catch let error as PostgreSQLFailure where error.isConflict && attempt < Self.attempts {
                        attempt += 1
                        // The random pause keeps conflicting transactions apart.
                        try await Task.sleep(for: .microseconds(Int.random(in: 0...200 * min(attempt, 50))))
                    }
                }
            }
            progress?.noteCommit()
            return result
        }

        /// Returns the number of jobs that wait for a connection, the size of the database, and the state of the server.
        public func health() async throws -> StoreHealth {
            try await mappingFailures { [self] in
                try await pool.run { [time, pool] lease in
                    let connection = try Self.usable(lease)
                    let begin = time.now()
                    let row =
                        try connection.execute(
                            """
                            SELECT pg_database_size(current_database()), \(ServerState.clock), \(ServerState.isReadOnly)
                            """
                        ).first ?? []
                    guard row.count == 3, let clock = row[1].flatMap({ Int64($0) }) else { throw StoreError(.other) }
                    return StoreHealth(
                        waitingWrites: pool.waitingCount, waitingLimit: pool.waitingLimit,
                        databaseBytes: row[0].flatMap { Int64($0) },
                        clockDifference: ServerState.difference(of: clock, from: begin, to: time.now()),
                        problem: row[2] == "t"
                            ? "the database takes no writes: it is a standby, or set to read-only" : nil)
                }
            }
        }

        // MARK: Transactions

        /// Runs a transaction on a connection.
        ///
        /// - Parameters:
        ///   - mode: The isolation.
        ///   - body: The statements.
        ///   - lost: A closure that is called when the answer to the commit is lost. It returns when the transaction was
        ///     committed, and throws otherwise.
        private static func transaction<R>(
            _ lease: ConnectionPool.Lease, _ mode: String, _ body: (any SQLSession) throws -> R,
            lost: (PostgreSQLFailure, PostgreSQLSession) throws -> Void
        ) throws -> R {
            let connection = try begun(lease, mode)
            let session = PostgreSQLSession(connection)
            let result: R
            do {
                result = try body(session)
                if let failure = session.failure { throw failure }
            } catch {
                end(connection, of: lease, after: session.failure)
                throw error
            }
            do throws(PostgreSQLFailure) {
                try connection.execute("COMMIT")
            } catch {
                guard error.endsConnection else { throw error }
                lease.discard()
                try lost(error, session)
            }
            return result
        }

        /// Begins a transaction. A connection that was cut while it was idle is opened again.
        private static func begun(_ lease: ConnectionPool.Lease, _ mode: String) throws -> PostgreSQLConnection {
            let wasOpen = lease.isOpen
            do {
                let connection = try lease.connection()
                try connection.execute("BEGIN ISOLATION LEVEL \(mode)")
                return connection
            } catch let error as PostgreSQLFailure where error.endsConnection {
                lease.discard()
                guard wasOpen else { throw error }
                let connection = try lease.connection()
                try connection.execute("BEGIN ISOLATION LEVEL \(mode)")
                return connection
            }
        }

        /// Returns a connection that answers.
        private static func usable(_ lease: ConnectionPool.Lease) throws -> PostgreSQLConnection {
            let connection = try begun(lease, "REPEATABLE READ, READ ONLY")
            try connection.execute("COMMIT")
            return connection
        }

        private static func end(
            _ connection: PostgreSQLConnection, of lease: ConnectionPool.Lease, after failure: PostgreSQLFailure?
        ) {
            guard failure?.endsConnection != true, (try? connection.execute("ROLLBACK")) != nil else {
                return lease.discard()
            }
        }

        /// Finds out whether a transaction was committed whose connection was cut during the commit.
        ///
        /// The server process that ran it may still be running, or waiting for a standby. The entry of the transaction
        /// is looked for only after this process has ended. Before that, a message is written to the write-ahead log.
        /// This write waits for the same standbys as a commit, which means an entry that is then found is where an
        /// acknowledged entry must be. A standby that was not promoted refuses the write.
        ///
        /// - Throws: ``PostgreSQLFailure``, which is a conflict when nothing was committed.
        private static func resolve(
            _ failure: PostgreSQLFailure, _ entry: [UInt8]?, of backend: PostgreSQLConnection.Backend?,
            by lease: ConnectionPool.Lease
        ) throws {
            guard let entry, let backend else { throw failure }
            let end = ContinuousClock.now + lookupTime
            while ContinuousClock.now < end {
                if let isCommitted = (try? isCommitted(entry, of: backend, by: lease)) ?? nil {
                    guard !isCommitted else { return }
                    throw PostgreSQLFailure(state: "40001", "the transaction was not committed")
                }
                usleep(200_000)
            }
            throw failure
        }

        /// Returns whether the entry of a transaction exists; nil while its process is running.
        private static func isCommitted(
            _ entry: [UInt8], of backend: PostgreSQLConnection.Backend, by lease: ConnectionPool.Lease
        ) throws -> Bool? {
            do {
                let connection = try lease.connection()
                guard try connection.end(backend) else { return nil }
                try connection.execute("SELECT pg_logical_emit_message(true, 'trusted-identity', '')")
                var isFound = false
                // The condition on the length matches the index.
                _ = try connection.run("SELECT 1 FROM audit WHERE id = $1 AND length(id) = 16", [.blob(entry)]) { _ in
                    isFound = true
                }
                return isFound
            } catch {
                lease.discard()
                throw error
            }
        }

        /// Whether no process has the database open.
        private static func isUnused(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> Bool {
            let keys = SessionLock.keys(.use)
            // An administration command, or a session that is ending, holds the lock for a moment.
            for _ in 0..<3 {
                if try connection.execute("SELECT pg_try_advisory_lock(\(keys))").first?.first == "t" {
                    try connection.execute("SELECT pg_advisory_unlock(\(keys))")
                    return true
                }
                usleep(100_000)
            }
            return false
        }

        /// Refuses a pooler that gives a session another connection to the server for each transaction. While one
        /// session has a transaction open, another session must keep its own process.
        private static func refusePooler(
            _ connection: PostgreSQLConnection, _ open: () throws -> PostgreSQLConnection
        ) throws {
            let other = try open()
            try other.execute("BEGIN")
            let process = try other.execute("SELECT pg_backend_pid()").first?.first
            // Meanwhile, a busy pooler gives the first session another process.
            let own = try connection.execute("SELECT pg_backend_pid()").first?.first
            try other.execute("COMMIT")
            let prepared = connection.server?.backend.process
            guard process != prepared, own == prepared else {
                throw DatabaseError(
                    .unsuitable,
                    "a pooler shares connections between transactions: connect to the server, or use its session mode")
            }
        }

        private func mappingFailures<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
            do {
                return try await body()
            } catch let error as PostgreSQLFailure {
                throw StoreError(error)
            } catch let error as DatabaseError {
                // This connection was opened later, for example to a server whose settings were changed.
                throw StoreError(.inputOutput, underlying: error)
            }
        }
    }
#endif
