internal import Synchronization

/// A store in memory, for tests, demonstrations and embedding where nothing has to outlive the process.
///
/// Each transaction holds one lock. A transaction that throws is undone row by row, so the cost of a write is that of
/// the rows it touches, not that of the rows in the store. Nothing is durable, and at most the latest 200,000 entries
/// of the audit log are kept. It never fails with a ``PlatformStoreError``.
public final class MemoryPlatformStore: PlatformStore {
    private let tables = Mutex(MemoryTables())

    /// Creates an empty store.
    public init() {}

    /// Runs the closure under the lock.
    public func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try tables.withLock { tables in try body(MemoryTransaction(tables)) }
    }

    /// Runs the closure under the lock and undoes its writes when it throws.
    public func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        try tables.withLock { tables in
            // The transaction holds the only reference meanwhile, so that no table is copied.
            let transaction = MemoryTransaction(tables)
            tables = MemoryTables()
            do {
                let result = try body(transaction)
                tables = transaction.tables
                return result
            } catch {
                transaction.rollBack()
                tables = transaction.tables
                throw error
            }
        }
    }

    /// Returns a store with the present rows of this one, like a backup that is restored later.
    public func snapshot() -> MemoryPlatformStore {
        let copy = MemoryPlatformStore()
        let current = tables.withLock { $0 }
        copy.tables.withLock { $0 = current }
        return copy
    }
}
