internal import Synchronization
public import TrustedIdentity

/// A platform store that passes calls on to another one until a test makes it fail.
public final class FailingPlatformStore: PlatformStore {
    private let base: any PlatformStore
    private let failure = Mutex<(any Error)?>(nil)

    /// Creates a store that works.
    ///
    /// - Parameter base: The store that does the work.
    public init(_ base: any PlatformStore) { self.base = base }

    /// Sets the error of all calls from now on.
    ///
    /// - Parameter error: The error; nil to let calls succeed again.
    public func fail(with error: (any Error)?) { failure.withLock { $0 = error } }

    /// Reads from the other store, or fails.
    public func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        if let error = failure.withLock({ $0 }) { throw error }
        return try await base.read(body)
    }

    /// Writes to the other store, or fails.
    public func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        if let error = failure.withLock({ $0 }) { throw error }
        return try await base.write(body)
    }
}
