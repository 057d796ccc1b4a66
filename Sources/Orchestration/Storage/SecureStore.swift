/// Where the SDK keeps its sealed data: named blobs with a lock and an atomic, durable replace.
///
/// A store knows nothing of the content, which is sealed before it gets here. Shipped are ``FileStore``,
/// ``MemoryStore`` and, on Apple platforms, `KeychainStore`. Whoever writes another runs
/// `SecureStoreConformance` of the product `OrchestrationTesting` on it.
///
/// The contract:
/// - A name holds at most 256 KiB.
/// - ``update(_:_:)`` is exclusive for its name between tasks, instances and processes. Names do not wait for each
///   other. When the lock is not free within 5 seconds, it throws `storeBusy` and the body was not called.
/// - When ``update(_:_:)`` returns, the change survives a crash and a power loss. When it throws, or the process dies
///   inside, the name holds either the value before or the one after, never a mixture and never nothing.
/// - ``read(_:)`` takes no lock and sees the value before or after a change.
/// - Every method may be called from any task. A canceled task may throw `CancellationError` while it waits for the
///   lock, and not after the body was called.
/// - Errors are ``OrchestrationError`` with the codes `storeBusy`, `storeCorrupt`, `storeLocked`, `storeUnavailable`
///   and `storeTooLarge`; what the body throws goes on unchanged, and then nothing is written.
public protocol SecureStore: Sendable {
    /// The names that hold a value, in any order.
    func names() async throws -> [StoreName]

    /// The value under a name, or `nil` when there is none.
    func read(_ name: StoreName) async throws -> [UInt8]?

    /// Changes the value under a name while nobody else does.
    ///
    /// - Parameters:
    ///   - name: what to change.
    ///   - body: gets the value as it is, `nil` when there is none, and says what becomes of it. It is called once, on
    ///     any thread, and must neither block nor use the store.
    /// - Returns: what the body returns beside the change.
    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R
}

/// How many bytes a store keeps under one name at most: 256 KiB.
package let maximumStoredBytes = 256 * 1024
