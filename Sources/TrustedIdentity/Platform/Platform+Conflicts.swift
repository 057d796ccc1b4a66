internal import Primitives

/// A row changed between reading and writing. The decision that depends on it is made again.
struct WriteConflict: Error {}

/// Rows from which an expensive input was prepared have changed. The input is prepared again.
struct OutdatedInput: Error {}

/// Throws ``WriteConflict`` when a compare-and-set changed no row.
func requireWritten(_ isWritten: Bool) throws {
    guard isWritten else { throw WriteConflict() }
}

// Every decision of the platform has one form: read the rows, decide with pure code, write with compare-and-set. When a
// row changed meanwhile, the store rolls the transaction back, and the decision is made again from the new rows.
//
// Opening sealed commands, checking signatures and hashing passwords are not repeated. They run before the closure of
// `retryingConflicts`, on rows that do not change, or in `prepare`, which runs again only when its rows changed.
extension Platform {
    /// The number of times that a decision is made. Another decision succeeded at each conflict, which means the
    /// platform as a whole makes progress. After this many conflicts the caller gets `busy`.
    static let attempts = 300

    /// Runs a decision, and runs it again after a write conflict.
    ///
    /// - Throws: ``PlatformError``, with `storeFailed` for an error of the store, `internal` for one of another module,
    ///   and `busy` after too many conflicts; ``OutdatedInput``; `CancellationError`.
    func retryingConflicts<R>(_ decide: () async throws -> R) async throws -> R {
        for _ in 0..<Self.attempts {
            try Task.checkCancellation()
            do {
                return try await PlatformError.mapping(decide)
            } catch is WriteConflict {
                metrics.count(.conflicts)
            }
        }
        throw PlatformError(.busy)
    }

    /// Runs a decision on an expensive input, and prepares the input again only when its rows changed.
    ///
    /// - Parameters:
    ///   - prepare: Reads rows and computes the input. A write conflict does not repeat it.
    ///   - decide: Decides and writes. It throws ``OutdatedInput`` when the rows of the input changed.
    func retryingConflicts<Input, R>(
        preparing prepare: () async throws -> Input, _ decide: (Input) async throws -> R
    ) async throws -> R {
        for _ in 0..<Self.attempts {
            let input = try await retryingConflicts(prepare)
            do {
                return try await retryingConflicts { try await decide(input) }
            } catch is OutdatedInput {
                metrics.count(.conflicts)
            }
        }
        throw PlatformError(.busy)
    }

    /// Reads one consistent state of the store.
    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try await retryingConflicts { try await store.read(body) }
    }

    /// Runs a decision that reads its rows in the transaction that writes them.
    func write<R: Sendable>(_ body: @escaping @Sendable (StoreTransaction) throws -> R) async throws -> R {
        try await retryingConflicts { try await store.write(body) }
    }

    /// Runs a decision that the platform makes without a caller: a sweep, or the erasure of keys.
    ///
    /// One process at a time runs one: see ``StoreTransaction/excludeMaintenance()``.
    func writeAsPlatform<R: Sendable>(
        _ body: @escaping @Sendable (StoreTransaction) throws -> R
    ) async throws -> R {
        var store = store
        store.origin = .platform
        return try await retryingConflicts { [store] in
            try await store.write { transaction in
                try transaction.excludeMaintenance()
                return try body(transaction)
            }
        }
    }
}

extension StoreTransaction {
    /// The lock of the maintenance in the database, as PostgreSQL names locks of applications: "maintain" in ASCII.
    private static let maintenanceLock: Int64 = 0x6D61_696E_7461_696E

    /// Waits for the maintenance of other processes, and keeps it out until the end of the transaction. Call it before
    /// any other statement. SQLite runs one transaction at a time and needs no lock.
    ///
    /// Processes that share a database would otherwise do the same work and undo it again after a conflict. No result
    /// depends on the lock. The state that the transaction sees is the one before the wait. If both transactions change
    /// the same row or assign the same number, PostgreSQL reports it, and the decision is made again. A process that
    /// was stopped for a long time does not keep the lock: the lock ends with its transaction.
    func excludeMaintenance() throws {
        guard session.dialect == .postgreSQL else { return }
        try session.run("SELECT pg_advisory_xact_lock($1)", [.integer(Self.maintenanceLock)]) { _ in }
    }
}
