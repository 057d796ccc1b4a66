internal import Crypto
internal import Primitives

/// The file of a software device key: 32 random bytes, and their SHA-256 so that damage is told from another device.
enum KeyFile {
    static let secretCount = 32

    /// More bytes than a key file has.
    static let limit = 128

    /// How many bytes the id of a file has, which is its name.
    static let idCount = 8

    static func name(_ id: [UInt8]) -> String { Hex.encode(id) + suffix }

    /// The lock file of a ``KeyFileClaim``.
    static func claim(_ id: [UInt8]) -> String { name(id) + claimSuffix }

    static func id(ofFile file: String) -> [UInt8]? {
        guard file.hasSuffix(suffix), let id = try? Hex.decode(String(file.dropLast(suffix.count))),
            id.count == idCount, name(id) == file
        else { return nil }
        return id
    }

    static func id(ofClaim file: String) -> [UInt8]? {
        guard file.hasSuffix(claimSuffix) else { return nil }
        return id(ofFile: String(file.dropLast(claimSuffix.count)))
    }

    private static let suffix = ".key"
    private static let claimSuffix = ".lock"

    /// What the caller writes, and wipes.
    static func encode(_ secret: [UInt8]) -> [UInt8] {
        // Both of a known length: otherwise the array would grow, and leave the secret where it was shorter.
        secret + Array(SHA256.hash(data: secret))
    }

    /// The secret, which the caller wipes.
    static func decode(_ bytes: [UInt8]) throws(OrchestrationError) -> [UInt8] {
        guard bytes.count == 2 * secretCount else { throw OrchestrationError(.storeCorrupt) }
        var secret = Array(bytes.prefix(secretCount))
        guard ConstantTime.equal(bytes.span.extracting(secretCount...), Array(SHA256.hash(data: secret)).span) else {
            secret.wipe()
            throw OrchestrationError(.storeCorrupt)
        }
        return secret
    }
}
