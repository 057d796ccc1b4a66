/// The SQL database of a platform: one tenant, one database.
///
/// The platform decides outside of a database and writes in a transaction. Secrets reach the database sealed.
/// ``SQLiteDatabase`` is the embedded one, for one process. `PostgreSQLDatabase` is for several. A type that wraps another
/// database injects faults: a full disk, a failed commit, or other work between a read and the write that rests on it.
///
/// The contract of an implementation:
/// - ``write(_:)`` is serializable. Its closure sees no part of another transaction, and of two closures that compare
///   the same row one at most succeeds. When the closure throws, or the commit fails, nothing of it remains.
/// - When ``write(_:)`` returns, the effect is durable: a database on a disk has synced it. A used code that comes back
///   after a power loss would be valid again.
/// - ``read(_:)`` sees one consistent state, with at least everything that ``write(_:)`` returned from before it began.
/// - Closures are short and synchronous. They do no cryptography but an HMAC of some hundred bytes for a row. They may
///   be called again only after the transaction was rolled back.
/// - An error of the closure reaches the caller unchanged. A failure of the database is a ``StoreError`` of the right
///   kind, which the platform logs; nothing was written then.
/// - Both methods may be called from many tasks.
///
/// - Important: This protocol is not stable yet.
public protocol SQLDatabase: Sendable {
    /// The SQL that the database understands.
    var dialect: SQLDialect { get }

    /// The other processes that use the database; `nil` for a database that one process has for itself.
    var peers: (any DatabasePeers)? { get }

    /// Reads in one consistent state.
    ///
    /// - Parameter body: A closure that runs queries. Its argument is valid during the call only.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, or ``StoreError``.
    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R

    /// Reads and writes in one transaction: all of it, or nothing when the closure throws.
    ///
    /// - Parameter body: A closure that runs statements. Its argument is valid during the call only.
    /// - Returns: What the closure returns, once the effect is durable.
    /// - Throws: What the closure throws, or ``StoreError``; then nothing was written. `CancellationError` when the task
    ///   was canceled before the transaction began.
    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R

    /// Returns a report about the writes, the files and the disk of the database.
    ///
    /// - Throws: ``StoreError`` when the database cannot say.
    func health() async throws -> StoreHealth

    /// Does the upkeep of the database's files, in short steps. ``Maintenance`` calls it every minute.
    ///
    /// - Throws: ``StoreError``.
    func maintain() async throws
}

extension SQLDatabase {
    /// The SQL of SQLite.
    public var dialect: SQLDialect { .sqlite }

    /// No other processes.
    public var peers: (any DatabasePeers)? { nil }

    /// Returns an empty report.
    public func health() async throws -> StoreHealth { StoreHealth() }

    /// Does nothing: a database without files needs no upkeep.
    public func maintain() async throws {}
}

/// What differs between the databases where a query cannot be the same.
public enum SQLDialect: Sendable, Hashable {
    /// SQLite, 3.37 or later.
    case sqlite
    /// PostgreSQL, 15 or later.
    case postgreSQL
}

/// The processes that share a database, as one of them sees them.
///
/// Messages are hints: one can be lost, doubled or invented. A waiter reads the database after each.
public protocol DatabasePeers: Sendable {
    /// Whether no other process had the database open when this one opened it.
    var isFirst: Bool { get }

    /// Whether the messages of other processes arrive at present. Without them, waiters read once a second.
    var isListening: Bool { get }

    /// Sends a topic to the other processes, and returns before it is sent.
    ///
    /// - Parameter topic: 1 to 64 characters of a–z and 0–9.
    func send(_ topic: String)

    /// The topics that other processes send, for one reader; `nil` when some may have been lost.
    var topics: AsyncStream<String?> { get }

    /// Returns whether this process is the one that delivers events at present. The first call asks for the delivery, which
    /// is granted later. It stays granted until the process ends, or until the database has lost its connection.
    func claimEventDelivery() -> Bool
}

/// A transaction of a ``SQLDatabase``, during one closure.
public protocol SQLSession {
    /// The SQL that the database understands.
    var dialect: SQLDialect { get }

    /// Notes the id of an entry of the audit log that the transaction inserts. When the answer to a commit is lost, the
    /// entry shows whether the transaction was committed.
    func note(entry id: [UInt8])

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: The statement. Its parameters are `$1`, `$2` and so on, in any order and any number of times. No text of
    ///     the statement has a `$` otherwise.
    ///   - values: The values of the parameters, `$1` first.
    ///   - read: A closure that reads a row. The row is valid until the closure returns.
    /// - Returns: The number of rows that an `INSERT`, `UPDATE` or `DELETE` changed.
    /// - Throws: What the closure throws, or the error of the database, after which the transaction can write no more.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Void) throws -> Int
}

extension SQLSession {
    /// The SQL of SQLite.
    public var dialect: SQLDialect { .sqlite }

    /// Does nothing.
    public func note(entry id: [UInt8]) {}
}

/// A row of a result.
public protocol SQLRow {
    /// Returns the value of a column.
    ///
    /// - Parameter column: The position of a column that the statement selects, from 0.
    func value(_ column: Int) -> SQLValue
}

/// A value as a database stores it.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// A value of a kind that no column of the schema has.
    case other
}
