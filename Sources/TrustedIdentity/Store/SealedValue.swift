/// A secret as a store sees it: AES-GCM under a key of its own, made from the master key, the table, the tenant, the
/// row and the revision.
///
/// A store keeps it as it is. Where one column is handier than three, ``packed`` is the whole of it.
public struct SealedValue: Sendable, Hashable {
    /// Which master key it is sealed under: 1…32 ASCII characters.
    public let keyID: String
    /// Which writing of the row it is. Goes into the key.
    public let revision: Int64
    /// Nonce, ciphertext and tag.
    public let bytes: [UInt8]

    /// Puts a sealed value together again.
    public init(keyID: String, revision: Int64, bytes: [UInt8]) {
        self.keyID = keyID
        self.revision = revision
        self.bytes = bytes
    }

    /// The three fields in one byte string: format 1, length of the key id, key id, revision (8 bytes, big endian), bytes.
    public var packed: [UInt8] {
        let id = Array(keyID.utf8.prefix(255))
        let revisionBytes = (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * $0)) }
        return [1, UInt8(truncatingIfNeeded: id.count)] + id + revisionBytes + bytes
    }

    /// Reads what ``packed`` wrote; nil for anything else.
    public init?(packed: [UInt8]) {
        guard packed.count >= 2, packed[0] == 1 else { return nil }
        let start = 2 + Int(packed[1])
        guard packed.count >= start + 8 else { return nil }
        let id = packed[2..<start]
        guard id.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        keyID = String(decoding: id, as: UTF8.self)
        revision = packed[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
        bytes = Array(packed[(start + 8)...])
    }
}
