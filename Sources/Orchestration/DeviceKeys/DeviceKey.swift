public import Crypto

/// The key that makes this device this device: it signs, and it yields secrets that cannot leave the device.
///
/// One is made for each activation and never shared between users, domains or tenants.
public protocol DeviceKey: Sendable {
    /// What the key provider needs to find the key again. At most 1,024 bytes; not secret, and kept in the clear.
    var handle: [UInt8] { get }

    /// The public key: a P-256 point, compressed (33 bytes, SEC 1 §2.3.3).
    var publicKey: [UInt8] { get }

    /// Signs with ECDSA over SHA-256 (ESP256, RFC 9864).
    ///
    /// - Parameter bytes: the message itself; the key hashes it.
    /// - Returns: r and s, 32 bytes each (64 in all).
    /// - Throws: `deviceKeyUnavailable`, `storeLocked`.
    func sign(_ bytes: [UInt8]) async throws -> [UInt8]

    /// A secret of 32 bytes that only this device can make: the same for the same key and purpose, and unrelated for
    /// any other.
    ///
    /// - Throws: `deviceKeyUnavailable`, `storeLocked`.
    func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey
}

/// What a secret of the device is for. One purpose, one secret.
public enum DeviceSecretPurpose: Sendable, Hashable, CaseIterable {
    /// Seals the user's data in the store.
    case storage
    /// Goes into the wrap of the password instance's secret.
    case password
}
