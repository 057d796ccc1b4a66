internal import CHashBlocks
package import Crypto
package import Primitives

/// An HMAC-SHA-256 key after the computation that is the same for all messages.
///
/// swift-crypto repeats that computation for each message and allocates memory for it, which takes several times as
/// long as the hash of a short message. The key is not recoverable from the result, which is as secret as the key.
package struct PreparedMAC: ~Copyable, Sendable {
    /// The number of bytes of a code.
    package static let byteCount = 32

    /// The key of HKDF-Extract without a salt, which is equal to zeros (RFC 5869 section 2.2).
    fileprivate static let unsalted = SecretBox(PreparedMAC([UInt8](repeating: 0, count: 32).span))

    /// A `hash_blocks_key`.
    private let states: SecretBytes

    /// Creates a prepared key from the bytes of a key.
    package init(_ key: borrowing Span<UInt8>) {
        states = unsafe key.withUnsafeBytes { key in
            SecretBytes(count: MemoryLayout<hash_blocks_key>.size) { memory in
                unsafe memory.withUnsafeMutableBytes { memory in
                    unsafe hash_blocks_prepare(
                        memory.baseAddress?.assumingMemoryBound(to: hash_blocks_key.self),
                        UInt8(HASH_BLOCKS_SHA256.rawValue), true, key.baseAddress, key.count)
                }
            }
        }
    }

    /// Creates a prepared key from a key.
    package init(_ key: SymmetricKey) { self = key.withSpan { PreparedMAC($0) } }

    /// Returns the code of a message, which is not secret.
    package borrowing func code(of message: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { output, count in
            unsafe write(message.span, to: output.baseAddress)
            count = Self.byteCount
        }
    }

    /// Returns the code of a message, in memory that is wiped.
    package borrowing func secretCode(of message: Span<UInt8>) -> SecretBytes {
        SecretBytes(count: Self.byteCount) { output in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe write(message, to: output.baseAddress?.assumingMemoryBound(to: UInt8.self))
            }
        }
    }

    /// Returns the first block of HKDF-Expand (RFC 5869): a key of 32 bytes.
    ///
    /// - Parameter info: The purpose of the key, which is not secret.
    package borrowing func expanded(info: [UInt8]) -> SymmetricKey {
        SymmetricKey(secretCode(of: (info + [1]).span))
    }

    private borrowing func write(_ message: Span<UInt8>, to output: UnsafeMutablePointer<UInt8>?) {
        states.withBytes { states in
            unsafe states.withUnsafeBytes { states in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe hash_blocks_authenticate(
                        states.baseAddress?.assumingMemoryBound(to: hash_blocks_key.self), message.baseAddress,
                        message.count, output)
                }
            }
        }
    }
}

extension KeyDerivation<SHA256> {
    /// Returns the key that HKDF-Extract gives, prepared for HKDF-Expand.
    ///
    /// - Parameter salt: The salt; `nil` for none, which is equal to zeros.
    package static func extracted(_ material: SymmetricKey, salt: SymmetricKey? = nil) -> PreparedMAC {
        let root = material.withSpan { material in
            guard let salt else { return PreparedMAC.unsalted.secret.secretCode(of: material) }
            return PreparedMAC(salt).secretCode(of: material)
        }
        return root.withBytes { PreparedMAC($0) }
    }

    /// Returns a key of 32 bytes: ``derive(_:salt:as:context:count:)`` with the processor's SHA-256 instructions, in a
    /// fraction of the time.
    package static func deriveKey(
        _ material: SymmetricKey, salt: SymmetricKey? = nil, as label: Label, context: [UInt8] = []
    ) -> SymmetricKey {
        extracted(material, salt: salt).expanded(info: label.bytes + context)
    }
}
