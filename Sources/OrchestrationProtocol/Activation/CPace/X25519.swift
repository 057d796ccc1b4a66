package import Crypto
package import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// X25519 (RFC 7748) with a check that swift-crypto leaves to its callers.
///
/// Neither swift-crypto nor CryptoKit refuses a public key of low order: the shared secret is then all zeros, whatever
/// the private key is. All key agreements of this package use this type.
package enum X25519 {
    /// Returns a private key of 32 bytes. X25519 clamps it.
    package static func privateKey(
        _ scalar: borrowing SecretBytes
    ) throws(SecureChannelError) -> Curve25519.KeyAgreement.PrivateKey {
        do {
            return try scalar.withBytes { span in
                unsafe try span.withUnsafeBytes { unsafe try .init(rawRepresentation: $0) }
            }
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "an X25519 private key does not have 32 bytes")
        }
    }

    /// Multiplies a peer's point by a private key.
    ///
    /// - Throws: ``SecureChannelError/Code/malformed`` if the point does not have 32 bytes,
    ///   ``SecureChannelError/Code/lowOrderPoint`` if the result is zero (RFC 7748, section 6.1). The comparison takes
    ///   constant time.
    package static func agree(
        _ key: Curve25519.KeyAgreement.PrivateKey, with point: Span<UInt8>
    ) throws(SecureChannelError) -> SharedSecret {
        let secret: SharedSecret
        do {
            let peer = unsafe try point.withUnsafeBytes {
                unsafe try Curve25519.KeyAgreement.PublicKey(rawRepresentation: $0)
            }
            secret = try key.sharedSecretFromKeyAgreement(with: peer)
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "an X25519 public key does not have 32 bytes")
        }
        guard !secret.withSpan(ConstantTime.isZero) else {
            throw SecureChannelError(.lowOrderPoint, blame: .peer, "an X25519 public key has low order")
        }
        return secret
    }

    /// Refuses a point of low order where the key agreement itself is hidden, as in HPKE.
    ///
    /// A clamped scalar is a multiple of both cofactors and prime to the orders of the large groups, so whatever the
    /// private key is, it maps exactly the points of ``lowOrderPoints`` to zero. Multiplying by a throwaway key
    /// gives the same answer at a third of the cost of an exchange. The point is public; the time may depend on it.
    package static func refuseLowOrder(_ point: some Collection<UInt8>) throws(SecureChannelError) {
        guard point.count == 32 else {
            throw SecureChannelError(.malformed, blame: .peer, "an X25519 public key does not have 32 bytes")
        }
        var words = SIMD4<UInt64>.zero
        for (index, byte) in point.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
        // The highest bit is ignored (RFC 7748, section 5).
        words[3] &= UInt64.max >> 1
        guard !lowOrderPoints.contains(words) else {
            throw SecureChannelError(.lowOrderPoint, blame: .peer, "an X25519 public key has low order")
        }
    }

    /// All encodings of the points whose order divides the cofactor of the curve (8) or of its twist (4), by their
    /// u-coordinates, the least significant word first.
    ///
    /// Both groups of that order are cyclic, and a point and its negative share a coordinate. On the curve there is one
    /// coordinate of order 2, one of order 4 and two of order 8; the twist has the same one of order 2 and another one
    /// of order 4. Only coordinates below 19 have a second encoding.
    private static let lowOrderPoints: [SIMD4<UInt64>] = [
        // 0 and 1, of order 2 and 4 on the curve.
        SIMD4(0, 0, 0, 0),
        SIMD4(1, 0, 0, 0),
        // The two of order 8.
        SIMD4(0xAEB8_413B_7C7A_EBE0, 0x6AC4_9FF1_FAE3_5616, 0xFDB1_329C_EB8D_09DA, 0x00B8_495F_1605_6286),
        SIMD4(0x248C_50A3_BC95_9C5F, 0x5BEF_839C_55B1_D0B1, 0x868E_1C58_C45C_4404, 0x5711_9FD0_DD4E_22D8),
        // -1, of order 4 on the twist; then 0 and 1 again, as p and p + 1: X25519 reduces what it is given.
        SIMD4(0xFFFF_FFFF_FFFF_FFEC, .max, .max, .max >> 1),
        SIMD4(0xFFFF_FFFF_FFFF_FFED, .max, .max, .max >> 1),
        SIMD4(0xFFFF_FFFF_FFFF_FFEE, .max, .max, .max >> 1),
    ]
}
