import Orchestration
import OrchestrationTesting
import Synchronization

/// Deterministic device keys that are made once, because a walk uses the same key a hundred times.
final class CachingDeviceKeys: DeviceKeyProvider {
    private let base: any DeviceKeyProvider
    private let keys = Mutex<[[UInt8]: any DeviceKey]>([:])

    init(seed: UInt64) { base = DeterministicDeviceKeys(seed: seed) }

    /// Creates keys of another provider, such as the software keys of the SDK.
    init(base: any DeviceKeyProvider) { self.base = base }

    func makeKey(for name: StoreName) async throws -> any DeviceKey {
        let key = try await base.makeKey(for: name)
        keys.withLock { $0[key.handle] = key }
        return key
    }

    func key(handle: [UInt8]) async throws -> any DeviceKey {
        if let key = keys.withLock({ $0[handle] }) { return key }
        return try await base.key(handle: handle)
    }

    func delete(handle: [UInt8]) async throws {
        keys.withLock { $0[handle] = nil }
        try await base.delete(handle: handle)
    }
}
