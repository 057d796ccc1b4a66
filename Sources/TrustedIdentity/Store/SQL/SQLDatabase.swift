/// The SQL database of a platform: one tenant, one database.
///
/// The platform decides outside of a database and writes in a transaction. Secrets reach the database sealed.
/// ``SQLiteDatabase`` is the one to use. A type that wraps another database injects faults: a full disk, a failed commit,
/// or other work between a read and the write that rests on it.
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
///   kind, so that the platform can log it; nothing was written then.
/// - Both methods may be called from many tasks.
///
/// - Important: This protocol is not stable yet. A database that several server processes share also has to wake the
///   waiters in other processes.
public protocol SQLDatabase: Sendable {
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
    /// Returns an empty report.
    public func health() async throws -> StoreHealth { StoreHealth() }

    /// Does nothing: a database without files needs no upkeep.
    public func maintain() async throws {}
}

/// A transaction of a ``SQLDatabase``, during one closure.
public protocol SQLSession {
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
