internal import Synchronization

/// A store in memory, for tests and for apps that activate anew at each start. It ends with the last reference.
public final class MemoryStore: SecureStore {
    private let values: Mutex<[StoreName: [UInt8]]>

    /// Makes an empty store.
    public init() {
        values = Mutex([:])
    }

    /// A store with the same content that goes its own way from now on, as a copied disk does.
    package func copy() -> MemoryStore {
        let copy = MemoryStore()
        let content = values.withLock { $0 }
        copy.values.withLock { $0 = content }
        return copy
    }

    /// The names that hold a value now.
    public func names() async throws -> [StoreName] {
        values.withLock { Array($0.keys) }
    }

    /// The value now.
    public func read(_ name: StoreName) async throws -> [UInt8]? {
        values.withLock { $0[name] }
    }

    /// Changes a value while nobody reads or changes any other. It never waits long enough to be busy.
    public func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try values.withLock { values in
            let (change, result) = try body(values[name])
            switch change {
            case .keep: break
            case .replace(let bytes):
                guard bytes.count <= maximumStoredBytes else { throw OrchestrationError(.storeTooLarge) }
                values[name] = bytes
            case .delete: values[name] = nil
            }
            return result
        }
    }
}
