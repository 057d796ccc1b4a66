import Synchronization

@testable import Orchestration

/// A store that counts how often a user record is read, also under the lock, and how often it is written.
final class CountingStore: SecureStore {
    private let base: Orchestration.MemoryStore
    private let counts = Mutex((reads: 0, records: 0, writes: 0))

    init(_ base: Orchestration.MemoryStore) { self.base = base }

    /// The number of times that a user record was asked for.
    var reads: Int { counts.withLock { $0.reads } }

    /// The number of times that there was one.
    var recordsRead: Int { counts.withLock { $0.records } }

    /// The number of times that one was written.
    var writes: Int { counts.withLock { $0.writes } }

    /// Counts from zero again.
    func reset() { counts.withLock { $0 = (0, 0, 0) } }

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? {
        let bytes = try await base.read(name)
        count(name, bytes)
        return bytes
    }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable ([UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try await base.update(name) { current in
            count(name, current)
            let (change, result) = try body(current)
            if name.isOfRecord, case .replace = change { counts.withLock { $0.writes += 1 } }
            return (change, result)
        }
    }

    private func count(_ name: StoreName, _ bytes: [UInt8]?) {
        guard name.isOfRecord else { return }
        counts.withLock { counts in
            counts.reads += 1
            if bytes != nil { counts.records += 1 }
        }
    }
}

extension StoreName {
    fileprivate var isOfRecord: Bool { text.hasPrefix(Vault.prefix) }
}
