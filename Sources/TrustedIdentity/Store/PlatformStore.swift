/// The storage of a platform: one tenant, one store.
///
/// The platform decides outside of a store and writes inside of a transaction. A store knows no rule of the domain but
/// the compare-and-set that each method of ``StoreTransaction`` promises. Secrets reach it sealed (``SealedValue``).
///
/// The contract of an implementation:
/// - ``write(_:)`` is serializable. Its closure sees no part of another transaction, and of two closures that compare
///   the same row one at most succeeds. When the closure throws, or the commit fails, nothing of it remains.
/// - When ``write(_:)`` returns, the effect is durable: a store on a disk has synced it. A used code that comes back
///   after a power loss would be valid again.
/// - ``read(_:)`` sees one consistent state, with at least everything that ``write(_:)`` returned from before it began.
/// - Closures are short and synchronous. They do no cryptography but an HMAC of some hundred bytes for a row. They may
///   be called again only after the transaction was rolled back.
/// - An error of the closure reaches the caller unchanged. A failure of the store is a ``PlatformStoreError`` of the
///   right kind, so that the platform can log it; nothing was written then.
/// - Both methods may be called from many tasks.
///
/// - Important: This protocol is not stable yet. A store that several server processes share needs more: locks by name
///   in the place of serializability, rows that are sharded where every request writes, and wake-ups of waiters in
///   other processes. These requirements come with the second database; until then a minor version may change the
///   protocol.
public protocol PlatformStore: Sendable {
    /// Reads in one consistent state.
    ///
    /// - Parameter body: A closure that looks rows up. Its argument is valid during the call only.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, or ``PlatformStoreError``.
    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R

    /// Reads and writes in one transaction: all of it, or nothing when the closure throws.
    ///
    /// - Parameter body: A closure that looks rows up and writes. Its argument is valid during the call only.
    /// - Returns: What the closure returns, once the effect is durable.
    /// - Throws: What the closure throws, or ``PlatformStoreError``; then nothing was written. `CancellationError` when
    ///   the task was canceled before the transaction began.
    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R

    /// Returns a report about the writes, the files and the disk of the store.
    ///
    /// - Throws: ``PlatformStoreError`` when the store cannot say.
    func health() async throws -> StoreHealth

    /// Does the upkeep of the store's files, in short steps. ``Maintenance`` calls it every minute.
    ///
    /// - Throws: ``PlatformStoreError``.
    func maintain() async throws
}

extension PlatformStore {
    /// Returns an empty report.
    public func health() async throws -> StoreHealth { StoreHealth() }

    /// Does nothing: a store without files needs no upkeep.
    public func maintain() async throws {}
}
