import Synchronization

@testable import TrustedIdentity

/// A store that runs other work, such as another call of the platform, between the reads of a decision and its write.
final class HeldStore: PlatformStore {
    typealias Work = @Sendable () async throws -> Void

    private let base: any PlatformStore
    private let work = Mutex<[Work]>([])

    init(base: any PlatformStore) { self.base = base }

    /// Runs work before the next write that has none yet. The write fails with the error of the work.
    func hold(_ next: @escaping Work) { work.withLock { $0.append(next) } }

    /// Whether work waits for a write.
    var isHeld: Bool { work.withLock { !$0.isEmpty } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        try await work.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
        return try await base.write(body)
    }
}
