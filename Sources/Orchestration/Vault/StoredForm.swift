internal import Crypto
internal import Wire

/// The formats of what the device stores, so that hostile bytes can be put before their decoders without a store.
package enum StoredForm: String, Sendable, CaseIterable {
    /// A blob of the store, without the hash behind it, which would keep every change out.
    case sealedRecord
    /// What is sealed in it.
    case userRecord
    /// The handle of a software key.
    case keyHandle
    /// The file of a software key, without the hash behind it.
    case keyFile
    /// How often an activation password was tried in vain.
    case failedAttempts

    /// The bytes again, made from what was understood of them; `nil` when they are refused.
    package func reencoded(_ bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .sealedRecord:
            guard (try? SealedRecord(decoding: bytes + SHA256.hash(data: bytes))) != nil else { return nil }
            return try? CBORValue(decoding: bytes, limits: CBORLimits(bytes: maximumStoredBytes)).encoded
        case .userRecord:
            return try? UserRecord(decoding: bytes, allowedCosts: ScryptCost.released).encoded
        case .keyHandle:
            return try? SoftwareKeyHandle(decoding: bytes).encoded
        case .keyFile:
            return try? KeyFile.decode(bytes + SHA256.hash(data: bytes))
        case .failedAttempts:
            return FailedAttemptRecord(bytes)?.encoded
        }
    }
}
