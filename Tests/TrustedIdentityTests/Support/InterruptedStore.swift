import Synchronization

@testable import TrustedIdentity

/// A store in which another transaction runs between a read and the write that rests on it.
final class InterruptedStore: PlatformStore {
    typealias Interruption = @Sendable (any StoreTransaction) throws -> Void

    private let base: any PlatformStore
    private let interruption = Mutex<Interruption?>(nil)

    init(base: any PlatformStore) { self.base = base }

    /// Runs a transaction before the next write, once.
    func interrupt(_ next: @escaping Interruption) { interruption.withLock { $0 = next } }

    /// Whether a transaction waits for the next write.
    var isArmed: Bool { interruption.withLock { $0 != nil } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        let next = interruption.withLock { value in
            defer { value = nil }
            return value
        }
        if let next { try await base.write(next) }
        return try await base.write(body)
    }
}
