package import Crypto
package import Primitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// The conversions between swift-crypto's values, which lend unsafe pointers, and spans.

extension SymmetricKey {
    /// Creates a key with the bytes of a secret.
    package init(_ secret: borrowing SecretBytes) {
        self = secret.withBytes { SymmetricKey(copying: $0) }
    }

    package init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }

    /// The bytes, in wiped memory.
    package var secretBytes: SecretBytes { withSpan { SecretBytes(copying: $0) } }
}

extension MessageSecret {
    /// The secret as a key.
    package var key: SymmetricKey { withBytes { SymmetricKey(copying: $0) } }
}

extension ContiguousBytes {
    /// Calls a closure with the bytes of a key, a digest or a shared secret.
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

extension AES.GCM.SealedBox {
    /// Opens a box with secret content into memory that is wiped.
    ///
    /// - Throws: The error of swift-crypto if the box is not authentic.
    package func openSecret(
        using key: SymmetricKey, authenticating associatedData: [UInt8] = []
    ) throws -> SecretBytes {
        SecretBytes(wiping: try AES.GCM.open(self, using: key, authenticating: associatedData))
    }
}

extension SecretBytes {
    /// Creates a secret from a value of swift-crypto whose memory would not be wiped, and wipes it.
    ///
    /// - Parameter data: The only reference to the bytes. If there is another reference, only a copy is wiped.
    package init(wiping data: consuming Data) {
        var data = data
        self = data.withSpan { SecretBytes(copying: $0) }
        data.resetBytes(in: data.startIndex..<data.endIndex)
    }
}
