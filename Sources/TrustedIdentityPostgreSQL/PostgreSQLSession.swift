#if PostgreSQL
    internal import TrustedIdentity

    /// A transaction of a PostgreSQL database: the connection, during one closure.
    final class PostgreSQLSession: SQLSession {
        private let connection: PostgreSQLConnection
        /// The error after which the server ignores further statements.
        private(set) var failure: PostgreSQLFailure?
        /// The id of the first entry of the audit log that the transaction inserts.
        private(set) var entry: [UInt8]?

        init(_ connection: PostgreSQLConnection) { self.connection = connection }

        /// The server process that runs the transaction.
        var backend: PostgreSQLConnection.Backend? { connection.server?.backend }

        var dialect: SQLDialect { .postgreSQL }

        func note(entry id: [UInt8]) { entry = entry ?? id }

        func run(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Void) throws -> Int {
            if let failure { throw failure }
            do {
                return try connection.run(sql, values, read)
            } catch let error as PostgreSQLFailure {
                failure = error
                throw error
            }
        }
    }
#endif
