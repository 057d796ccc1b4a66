internal import Synchronization

/// A store in memory: for tests, demonstrations and embedding where nothing has to outlive the process.
///
/// Every transaction holds one lock. A transaction that throws is undone row by row, so that a write costs what it
/// touches and not what the store holds. Nothing is durable, and of the audit log the latest 200,000 entries are kept at most.
public final class MemoryStore: PlatformStore {
    private let tables = Mutex(MemoryTables())

    /// An empty store.
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
                transaction.trimAudit()
                tables = transaction.tables
                return result
            } catch {
                transaction.rollBack()
                tables = transaction.tables
                throw error
            }
        }
    }

    /// A store that holds what this one holds now, as a backup restored later would.
    public func snapshot() -> MemoryStore {
        let copy = MemoryStore()
        let current = tables.withLock { $0 }
        copy.tables.withLock { $0 = current }
        return copy
    }
}
