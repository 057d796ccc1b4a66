internal import Crypto
internal import Primitives

/// The file of a software device key: 32 random bytes and their SHA-256, which distinguishes damage from a key of
/// another device.
package enum KeyFile {
    static let secretCount = 32

    /// The limit for reading a key file, in bytes. A key file is shorter.
    static let limit = 128

    /// The number of bytes of a file id, which is the name of the file.
    static let idCount = 8

    static func name(_ id: [UInt8]) -> String { Hex.encode(id) + suffix }

    /// The name of the lock file of a ``KeyFileClaim``.
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

    /// Returns the content of a secret's file. The caller wipes it.
    static func encode(_ secret: [UInt8]) -> [UInt8] {
        // Both parts have a known length. An array that grows would leave a copy of the secret in memory.
        secret + Array(SHA256.hash(data: secret))
    }

    /// Returns the secret of a file. The caller wipes it.
    ///
    /// - Throws: `storeCorrupt`.
    package static func decode(_ bytes: [UInt8]) throws(OrchestrationError) -> [UInt8] {
        guard bytes.count == 2 * secretCount else { throw OrchestrationError(.storeCorrupt) }
        var secret = Array(bytes.prefix(secretCount))
        guard ConstantTime.equal(bytes.span.extracting(secretCount...), Array(SHA256.hash(data: secret)).span) else {
            secret.wipe()
            throw OrchestrationError(.storeCorrupt)
        }
        return secret
    }
}

/// A claim on a key file that no record names yet, because its activation is running.
///
/// It is a lock on a file next to the key file. A provider takes it before the key file exists and holds it as long as
/// the key is in use. The system releases it when the process ends.
final class KeyFileClaim: Sendable {
    private let folder: any StorageFolder
    private let file: String
    private let lock: FolderLock

    /// Creates a claim.
    ///
    /// - Returns: `nil` when another process holds the claim.
    init?(_ id: [UInt8], in folder: any StorageFolder) throws(OrchestrationError) {
        let file = KeyFile.claim(id)
        guard let lock = try folder.lock(file) else { return nil }
        self.folder = folder
        self.file = file
        self.lock = lock
    }

    deinit {
        // The lock is still held. A process that has opened the file before detects that the name no longer exists.
        try? folder.remove(file)
    }
}
