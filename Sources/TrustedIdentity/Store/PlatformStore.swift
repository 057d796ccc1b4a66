/// Where the platform keeps what it must remember: one tenant, one store.
///
/// The platform decides outside of a store and writes inside of a transaction; a store knows no rule of the domain but
/// the compare-and-set that each method of ``StoreTransaction`` promises. Secrets reach it sealed (``SealedValue``).
///
/// What an implementation owes:
/// - ``write(_:)`` is serializable: its closure sees no other transaction's half, and two closures that compare the
///   same row cannot both win. When the closure throws, or the commit fails, nothing of it remains.
/// - When ``write(_:)`` returns, the effect is durable: a store on disk has synced it. A used code that comes back after
///   a power loss would be valid again.
/// - ``read(_:)`` sees one consistent state and at least everything that returned from ``write(_:)`` before it began.
/// - Closures are short and synchronous, and do no cryptography. They may be called again only when the transaction was
///   rolled back.
/// - Errors of the closure go to the caller as they are. Both methods may be called from many tasks.
///
/// `PlatformStoreConformance` in the test kit checks an implementation.
public protocol PlatformStore: Sendable {
    /// Reads in one consistent state.
    ///
    /// - Parameter body: looks rows up; the reader is valid during the call only.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws, or an error of the store.
    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R

    /// Reads and writes in one transaction: all of it, or nothing when the closure throws.
    ///
    /// - Parameter body: looks rows up and writes; the transaction is valid during the call only.
    /// - Returns: what the closure returns, once the effect is durable.
    /// - Throws: what the closure throws, or an error of the store; then nothing was written.
    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R
}
