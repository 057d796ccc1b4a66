package import Crypto
package import Primitives

/// HKDF (RFC 5869) with keys in wiped memory only.
///
/// The HKDF of swift-crypto takes the salt as plain bytes; here it may be a secret. This module derives keys with
/// ``expand(_:as:context:count:)``, in which each derivation names its label. The info of a device's code keys and of a
/// ``PreparedMAC`` also begins with the bytes of a label.
package enum KeyDerivation<Hash: HashFunction> {
    /// HKDF-Extract. An empty salt is equal to zeros (RFC 5869, section 2.2).
    package static func extract(salt: SymmetricKey, _ material: SymmetricKey) -> SymmetricKey {
        var code = HMAC<Hash>(key: salt)
        material.withSpan { span in unsafe span.withUnsafeBytes { unsafe code.update(data: $0) } }
        return code.finalize().withSpan { SymmetricKey(copying: $0) }
    }

    /// HKDF-Expand.
    ///
    /// The key is prepared once for all blocks. swift-crypto prepares it for each block.
    ///
    /// - Parameter count: The number of bytes, 1 to 255 times the length of the hash.
    package static func expand(_ pseudorandomKey: SymmetricKey, info: [UInt8], count: Int) -> SymmetricKey {
        let blockByteCount = Hash.Digest.byteCount
        precondition((1...255 * blockByteCount).contains(count), "a length that HKDF can give")
        let prepared = HMAC<Hash>(key: pseudorandomKey)
        return SymmetricKey(
            SecretBytes(count: count) { output in
                for start in stride(from: 0, to: count, by: blockByteCount) {
                    var code = prepared
                    if start > 0 {
                        let previous = output.span.extracting(start - blockByteCount..<start)
                        unsafe previous.withUnsafeBytes { unsafe code.update(data: $0) }
                    }
                    code.update(data: info + [UInt8(start / blockByteCount + 1)])
                    code.finalize().withSpan { block in
                        for index in 0..<min(blockByteCount, count - start) { output[start + index] = block[index] }
                    }
                }
            })
    }

    /// HKDF-Expand with `info` = label ‖ context. No label is a prefix of another, so label and context cannot be
    /// confused.
    package static func expand(
        _ pseudorandomKey: SymmetricKey, as label: Label, context: [UInt8] = [], count: Int
    ) -> SymmetricKey {
        expand(pseudorandomKey, info: label.bytes + context, count: count)
    }

    /// Extract, then expand with `info` = label ‖ context.
    package static func derive(
        _ material: SymmetricKey, salt: SymmetricKey? = nil, as label: Label, context: [UInt8] = [], count: Int
    ) -> SymmetricKey {
        let salt = salt ?? SymmetricKey(data: [UInt8](repeating: 0, count: Hash.Digest.byteCount))
        return expand(extract(salt: salt, material), as: label, context: context, count: count)
    }
}

extension SymmetricKey {
    /// Creates a key from the bytes of two keys, one after the other.
    package init(_ first: SymmetricKey, _ second: SymmetricKey) {
        let joined = first.withSpan { first in
            second.withSpan { second in
                SecretBytes(count: first.count + second.count) { bytes in
                    for index in first.indices { bytes[index] = first[index] }
                    for index in second.indices { bytes[first.count + index] = second[index] }
                }
            }
        }
        self.init(joined)
    }

    /// Returns a part of a derived key.
    package subscript(range: Range<Int>) -> SymmetricKey {
        withSpan { SymmetricKey(copying: $0.extracting(range)) }
    }

    /// The number of bytes.
    package var byteCount: Int { bitCount / 8 }

    /// Whether received bytes, such as a tag, are equal to the key. The comparison takes constant time.
    package func matches(_ bytes: [UInt8]) -> Bool {
        withSpan { ConstantTime.equal($0, bytes.span) }
    }
}
