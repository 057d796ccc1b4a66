import Synchronization

@testable import TrustedIdentity

/// A store that fails after a call of ``fail()``.
final class FailingStore: PlatformStore {
    struct Failure: Error {}

    private let base: any PlatformStore
    private let isFailing = Mutex(false)

    init(base: any PlatformStore) { self.base = base }

    func fail() { isFailing.withLock { $0 = true } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        if isFailing.withLock({ $0 }) { throw Failure() }
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        if isFailing.withLock({ $0 }) { throw Failure() }
        return try await base.write(body)
    }
}
