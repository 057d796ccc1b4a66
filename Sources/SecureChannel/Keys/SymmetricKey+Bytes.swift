package import Crypto
package import Primitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// The only places of this module where swift-crypto's unsafe pointers are touched.

extension SymmetricKey {
    /// A key with the bytes of a secret.
    package init(_ secret: borrowing SecretBytes) {
        self = secret.withBytes { SymmetricKey(copying: $0) }
    }

    package init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }

    /// The bytes, in memory that is wiped.
    package var secretBytes: SecretBytes { withSpan { SecretBytes(copying: $0) } }
}

extension ContiguousBytes {
    /// Reads the bytes of a key, a digest or a shared secret.
    package func withSpan<R: ~Copyable>(_ body: (Span<UInt8>) -> R) -> R {
        // The closure of withUnsafeBytes returns copyable values only.
        var result: R?
        unsafe withUnsafeBytes { bytes in
            result = unsafe body(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
        }
        guard let result else { preconditionFailure("withUnsafeBytes did not call its closure") }
        return result
    }
}

extension HashFunction {
    /// Hashes bytes without copying them.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe update(bufferPointer: $0) }
    }
}
