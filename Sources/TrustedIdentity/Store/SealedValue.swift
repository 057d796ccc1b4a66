/// A secret as a store keeps it: encrypted with AES-GCM under its own key, which is derived from a key of the
/// store, the table, the tenant, the row and the revision.
///
/// A column holds both fields: ``packed``.
package struct SealedValue: Sendable, Hashable {
    /// The number of the write of the row. It goes into the key.
    package let revision: Int64
    /// The nonce, the ciphertext and the tag.
    package let bytes: [UInt8]

    /// Creates a sealed value from its fields.
    package init(revision: Int64, bytes: [UInt8]) {
        self.revision = revision
        self.bytes = bytes
    }

    /// Both fields in one byte string: format 1, revision (8 bytes, big endian), bytes.
    package var packed: [UInt8] {
        [1] + (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * $0)) } + bytes
    }

    /// Creates a sealed value from its packed form; nil for anything else.
    package init?(packed: [UInt8]) {
        guard packed.count >= 9, packed[0] == 1 else { return nil }
        revision = packed[1..<9].reduce(0) { $0 << 8 | Int64($1) }
        bytes = Array(packed[9...])
    }
}
