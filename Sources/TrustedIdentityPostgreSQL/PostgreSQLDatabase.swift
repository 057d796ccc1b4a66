#if PostgreSQL
    internal import CLibrary
    public import Logging
    public import Primitives
    public import TrustedIdentity

    /// The database of a platform on a server of PostgreSQL, 15 or later, which several processes share.
    ///
    /// Each connection has a serial queue, and is opened when it is needed. A write is a serializable transaction. One
    /// that another transaction was in the way of is rolled back, and its closure is called again. A read is a snapshot.
    ///
    /// When ``write(_:)`` returns, the server has synced the commit: a server with `fsync = off`, `full_page_writes = off`
    /// or a lower `synchronous_commit` than `on` is refused. When the connection is cut inside of a commit, the transaction
    /// is looked up on another connection by the id of its entry in the audit log. A transaction without an entry, or whose
    /// result cannot be learned, ends with `inputOutput`.
    ///
    /// While the server is away or takes no writes, calls fail with `inputOutput`, within half a minute where a server does
    /// not answer, and otherwise at once; later ones succeed again without a restart of the process.
    ///
    /// Call ``close()`` at the end: a database that is released without it keeps its connections and locks.
    ///
    /// Any number of tasks may call a database. Its errors are `StoreError` with the kind of PostgreSQL's code.
    public final class PostgreSQLDatabase: SQLDatabase {
        /// The access of other processes to the database.
        public enum Access: Sendable {
            /// Other processes with this access.
            case shared
            /// No other process. There is one connection then.
            case exclusive
        }

        /// The numbers of connections that a process can have.
        public static let connectionLimits = 4...64
        /// The number of times that a transaction is begun which others were in the way of.
        private static let attempts = 100
        /// The time within which the result of a commit must be learned.
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
        ///   - time: The clock that is compared with that of the server.
        ///   - logger: A logger for what happens to the connections.
        /// - Throws: ``DatabaseError``.
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
        ///   - isolation: The isolation of writes. Another one than `SERIALIZABLE` is for benchmarks, and for tests of what
        ///     it is needed for.
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

        /// Connects, and returns what the server reports about itself. Nothing is changed.
        ///
        /// - Throws: ``DatabaseError``, as the initializer does.
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

        /// The SQL of PostgreSQL.
        public var dialect: SQLDialect { .postgreSQL }

        /// The other processes; `nil` for a database that this process has for itself.
        public var peers: (any DatabasePeers)? { listener }

        /// Reads in a snapshot.
        public func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
            try await mappingFailures { [self] in
                try await pool.run { lease in
                    // Nothing can be lost with the answer to its commit.
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
                        // Apart from the others that were in the way of each other.
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

        /// Learns whether a transaction was committed whose connection was cut inside of the commit.
        ///
        /// The process of the server that ran it may still be at work, or wait for a standby. Only after it has ended is
        /// the entry of the transaction looked for. A write of a message to the log comes first: it waits for the same
        /// standbys as a commit, so that an entry that it finds is where an acknowledged one has to be, and a standby that
        /// was not promoted refuses it.
        ///
        /// - Throws: ``PostgreSQLFailure``, one that is a conflict when nothing was committed.
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

        /// Returns whether the entry of a transaction is there; nil while its process is at work.
        private static func isCommitted(
            _ entry: [UInt8], of backend: PostgreSQLConnection.Backend, by lease: ConnectionPool.Lease
        ) throws -> Bool? {
            do {
                let connection = try lease.connection()
                guard try connection.end(backend) else { return nil }
                try connection.execute("SELECT pg_logical_emit_message(true, 'trusted-identity', '')")
                var isFound = false
                // The condition on the length is that of the index.
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
            // A command of administration, or a session that is ending, has the lock for a moment.
            for _ in 0..<3 {
                if try connection.execute("SELECT pg_try_advisory_lock(\(keys))").first?.first == "t" {
                    try connection.execute("SELECT pg_advisory_unlock(\(keys))")
                    return true
                }
                usleep(100_000)
            }
            return false
        }

        /// Finds a pooler that gives a session another connection to the server for each transaction: while one session
        /// has a transaction open, another one has a process of its own.
        private static func refusePooler(
            _ connection: PostgreSQLConnection, _ open: () throws -> PostgreSQLConnection
        ) throws {
            let other = try open()
            try other.execute("BEGIN")
            let process = try other.execute("SELECT pg_backend_pid()").first?.first
            // A busy pooler gives the first session another process meanwhile.
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
                // A connection that was opened later, such as to a server that has changed its settings.
                throw StoreError(.inputOutput, underlying: error)
            }
        }
    }
#endif
