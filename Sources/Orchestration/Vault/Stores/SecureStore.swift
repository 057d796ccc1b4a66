package import Primitives

/// A store of the SDK's sealed data: named values with a lock and an atomic, durable replacement.
///
/// A store does not know the content of its values, which are sealed. The SDK has ``FileStore``, ``MemoryStore`` and,
/// on Apple platforms, `KeychainStore`. Test your own store with `SecureStoreConformance` of the product
/// `OrchestrationTesting`.
///
/// The contract:
/// - A name holds at most 256 KiB.
/// - ``update(_:_:)`` is exclusive for its name between tasks, instances and processes. Names do not wait for each
///   other. When the lock is not free within 5 seconds, it throws `storeBusy` and does not call the body.
/// - When ``update(_:_:)`` returns, the change survives a crash and a power loss. When it throws, or the process ends
///   inside, the name holds either the value before or the value after the change, never a mixture and never nothing.
/// - ``read(_:)`` takes no lock and returns the value before or after a change.
/// - Every method may be called from any task. A canceled task may throw `CancellationError` while it waits for the
///   lock, but not after the body was called.
/// - Errors are ``OrchestrationError`` with the codes `storeBusy`, `storeCorrupt`, `storeLocked`, `storeUnavailable`
///   and `invalidArgument`. An error of the body is thrown unchanged, and nothing is written.
public protocol SecureStore: Sendable {
    /// Returns the names that hold a value, in any order.
    func names() async throws -> [StoreName]

    /// Returns the value of a name; `nil` when there is none.
    func read(_ name: StoreName) async throws -> [UInt8]?

    /// Changes the value of a name under its lock.
    ///
    /// - Parameters:
    ///   - name: The name to change.
    ///   - body: A closure that receives the current value, `nil` when there is none, and returns the change. It is
    ///     called once, on any thread, and must neither block nor use the store.
    /// - Returns: The value that the body returns next to the change.
    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R
}

/// A store that can also keep keys. With such a store, an app does not need to supply a key provider.
package protocol KeyKeepingStore: SecureStore {
    /// The folder for the software keys of methods, which is also the folder of the user's data. Names with a dot
    /// before their end are not records.
    var methodKeyFolder: any StorageFolder { get }

    /// Returns the provider of device keys for an orchestrator without its own.
    func defaultDeviceKeys(salts: Salts, random: any RandomSource) throws(OrchestrationError) -> any DeviceKeyProvider
}

/// A change of a stored value.
public enum StoreChange: Sendable, Hashable {
    /// The value stays. Nothing is written.
    case keep
    /// The value is replaced, or created when there was none. At most 256 KiB.
    case replace([UInt8])
    /// The value is deleted. A value that does not exist is not an error.
    case delete
}

/// The maximum size of a stored value in bytes, 256 KiB.
package let maximumStoredBytes = 256 * 1024
