public import Crypto

/// A provider that creates and finds device keys.
///
/// The SDK has ``SoftwareDeviceKeys`` and, on Apple devices with a Secure Enclave, `SecureEnclaveDeviceKeys`.
/// ``PreferredDeviceKeys`` combines the two. Every method may be called from several tasks and processes at once.
public protocol DeviceKeyProvider: Sendable {
    /// Creates a key.
    ///
    /// - Parameter name: The name of the record that the key will seal, for providers that keep a list.
    /// - Returns: A key whose ``DeviceKey/handle`` survives a restart of the device.
    /// - Throws: `deviceKeyUnavailable`.
    func makeKey(for name: StoreName) async throws -> any DeviceKey

    /// Returns the key of a handle.
    ///
    /// - Parameter handle: The handle of a key that ``makeKey(for:)`` returned.
    /// - Throws: `storeRestoredElsewhere` when the key belongs to another device, `storeCorrupt` when the handle is
    ///   damaged, `storeNewerVersion` when a newer version made it, `storeLocked` and `deviceKeyUnavailable` when the
    ///   key cannot be used now.
    func key(handle: [UInt8]) async throws -> any DeviceKey

    /// Deletes a key, as far as the provider can. A key that does not exist is not an error.
    func delete(handle: [UInt8]) async throws

    /// The warnings about this provider, for ``Orchestrator/warnings``. The default implementation returns none.
    var warnings: [Warning] { get }
}

extension DeviceKeyProvider {
    /// No warnings.
    public var warnings: [Warning] { [] }
}

/// A key that is bound to this device. It signs, and it derives secrets that cannot leave the device.
///
/// Each activation has its own key, which is never shared between users, domains or tenants.
public protocol DeviceKey: Sendable {
    /// The bytes by which the provider finds the key again, at most 1,024. They are not secret and are stored in the
    /// clear.
    var handle: [UInt8] { get }

    /// The public key: a P-256 point, compressed (33 bytes, SEC 1 §2.3.3).
    var publicKey: [UInt8] { get }

    /// Signs with ECDSA over SHA-256 (ESP256, RFC 9864).
    ///
    /// - Parameter bytes: The message; the key hashes it.
    /// - Returns: R and s, 32 bytes each.
    /// - Throws: `deviceKeyUnavailable`, `storeLocked`.
    func sign(_ bytes: [UInt8]) async throws -> [UInt8]

    /// Returns a secret of 32 bytes that only this device can derive. It is the same for the same key and purpose, and
    /// unrelated for any other.
    ///
    /// - Throws: `deviceKeyUnavailable`, `storeLocked`.
    func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey

    /// The warnings about a new key, for the events of the activation that creates it. The default implementation
    /// returns none.
    var warnings: [Warning] { get }
}

extension DeviceKey {
    /// No warnings.
    public var warnings: [Warning] { [] }
}

/// The purpose of a secret of the device. Each purpose has a separate secret.
public enum DeviceSecretPurpose: Sendable, Hashable, CaseIterable {
    /// The secret that seals the user's record in the store.
    case storage
    /// The secret that enters the wrap of the password instance's secret.
    case password
}
