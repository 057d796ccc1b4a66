/// A secret as a store keeps it: encrypted with AES-GCM under a key of its own, which is derived from the master key,
/// the table, the tenant, the row and the revision.
///
/// ``packed`` holds all three fields, for a store with one column for them.
public struct SealedValue: Sendable, Hashable {
    /// The id of the master key: 1…32 ASCII characters.
    public let keyID: String
    /// The number of the write of the row. It goes into the key.
    public let revision: Int64
    /// The nonce, the ciphertext and the tag.
    public let bytes: [UInt8]

    /// Creates a sealed value from its fields.
    public init(keyID: String, revision: Int64, bytes: [UInt8]) {
        self.keyID = keyID
        self.revision = revision
        self.bytes = bytes
    }

    /// The three fields in one byte string: format 1, length of the key id, key id, revision (8 bytes, big endian),
    /// bytes.
    public var packed: [UInt8] {
        let id = Array(keyID.utf8.prefix(255))
        let revisionBytes = (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * $0)) }
        return [1, UInt8(truncatingIfNeeded: id.count)] + id + revisionBytes + bytes
    }

    /// Creates a sealed value from its packed form; nil for anything else.
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
