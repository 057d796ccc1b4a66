internal import Crypto
public import Orchestration
internal import Primitives
internal import Synchronization

/// Device keys that are derived from a seed. They protect nothing.
///
/// Three things differ between two runs of a seed, because swift-crypto generates them itself: the signatures, the
/// encapsulations of HPKE, and all of X-Wing. With the classic suite the keys, the ids and the codes are the same.
///
/// Two providers with the same seed are the same device: one opens the keys of the other, as after a restart of the
/// app. A provider with another seed is another device and throws `storeRestoredElsewhere`.
public final class DeterministicDeviceKeys: DeviceKeyProvider {
    private let seed: UInt64
    private let random: SeededRandomSource
    private let deleted = Mutex<Set<[UInt8]>>([])

    /// Creates the keys of a device.
    ///
    /// - Parameter seed: The seed. Another seed is another device.
    public init(seed: UInt64) {
        self.seed = seed
        random = SeededRandomSource(seed: seed)
    }

    /// Creates the next key of the seed.
    public func makeKey(for name: StoreName) async throws -> any DeviceKey {
        try DeterministicDeviceKey(seed: seed, number: random.bytes(16))
    }

    /// Returns the key of a handle.
    ///
    /// - Throws: `storeRestoredElsewhere` for a key of another seed, `storeCorrupt` for bytes that are not a handle,
    ///   `deviceKeyUnavailable` for a key that was deleted here.
    public func key(handle: [UInt8]) async throws -> any DeviceKey {
        let key = try DeterministicDeviceKey(seed: seed, handle: handle)
        guard !deleted.withLock({ $0.contains(handle) }) else { throw OrchestrationError(.deviceKeyUnavailable) }
        return key
    }

    /// Refuses the key from now on, in this provider only.
    public func delete(handle: [UInt8]) async throws {
        deleted.withLock { _ = $0.insert(handle) }
    }
}

/// One key. Its handle is the number of the key (16 bytes), a mark of the seed (8) and a checksum (8).
private struct DeterministicDeviceKey: DeviceKey {
    let handle: [UInt8]
    let publicKey: [UInt8]
    private let privateKey: P256.Signing.PrivateKey

    init(seed: UInt64, number: [UInt8]) throws {
        let named = number + Self.bytes("device", seed: seed).prefix(8)
        handle = named + SHA256.hash(data: named).prefix(8)
        // A number from 1 to n - 1 in all but one of 2^32 cases. A seed that leads to the other case throws.
        privateKey = try P256.Signing.PrivateKey(rawRepresentation: Self.bytes("key", number, seed: seed))
        publicKey = Array(privateKey.publicKey.compressedRepresentation)
    }

    init(seed: UInt64, handle: [UInt8]) throws {
        guard handle.count == 32, handle.suffix(8).elementsEqual(SHA256.hash(data: handle.prefix(24)).prefix(8)) else {
            throw OrchestrationError(.storeCorrupt)
        }
        guard handle[16..<24].elementsEqual(Self.bytes("device", seed: seed).prefix(8)) else {
            throw OrchestrationError(.storeRestoredElsewhere)
        }
        try self.init(seed: seed, number: Array(handle.prefix(16)))
    }

    func sign(_ bytes: [UInt8]) async throws -> [UInt8] {
        Array(try privateKey.signature(for: bytes).rawRepresentation)
    }

    func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey {
        let label =
            switch purpose {
            case .storage: "storage"
            case .password: "password"
            }
        return SymmetricKey(data: SHA256.hash(data: Array(label.utf8) + Array(privateKey.rawRepresentation)))
    }

    /// Returns 32 bytes for a name under a seed.
    private static func bytes(_ name: String, _ number: [UInt8] = [], seed: UInt64) -> [UInt8] {
        Array(SHA256.hash(data: SeededRandomSource(seed: seed).bytes(32) + Array(name.utf8) + number))
    }
}
