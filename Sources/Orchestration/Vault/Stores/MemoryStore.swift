package import Primitives

/// A store in memory, for tests and for apps that activate again at each start. It ends with the last reference.
public final class MemoryStore: SecureStore, KeyKeepingStore {
    private let folder: MemoryFolder

    /// Creates an empty store.
    public init() {
        folder = MemoryFolder()
    }

    private init(folder: MemoryFolder) {
        self.folder = folder
    }

    /// Returns a store with the same content that changes independently, as a copied disk does.
    package func copy() -> MemoryStore { MemoryStore(folder: folder.copy()) }

    /// Returns the names that hold a value.
    public func names() async throws -> [StoreName] {
        try folder.files().compactMap { StoreName($0) }
    }

    /// Returns the value of a name.
    public func read(_ name: StoreName) async throws -> [UInt8]? {
        try folder.read(name.text, limit: maximumStoredBytes)
    }

    /// Changes a value. All names share one lock, which is held so briefly that no call throws `storeBusy`.
    public func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try folder.change(name.text, body)
    }

    /// Returns software keys in memory. Each call returns a provider with separate keys.
    package func defaultDeviceKeys(
        salts: Salts, random: any RandomSource
    ) throws(OrchestrationError) -> any DeviceKeyProvider {
        SoftwareDeviceKeys(inMemory: salts, random: random)
    }

    package var methodKeyFolder: any StorageFolder { folder }
}
