package import Crypto
package import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// X25519 (RFC 7748) with the check that swift-crypto leaves to its callers.
///
/// Neither swift-crypto nor CryptoKit refuses a public key of low order: the shared secret is then all zeros, whatever
/// the private key. Every agreement of this package goes through here.
package enum X25519 {
    /// A private key of 32 bytes, clamped when it is used.
    package static func privateKey(
        _ scalar: borrowing SecretBytes
    ) throws(SecureChannelError) -> Curve25519.KeyAgreement.PrivateKey {
        do {
            return try scalar.withBytes { span in
                unsafe try span.withUnsafeBytes { unsafe try .init(rawRepresentation: $0) }
            }
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "an X25519 private key is not of 32 bytes")
        }
    }

    /// Multiplies a peer's point by a private key.
    ///
    /// - Throws: ``SecureChannelError/Code/malformed`` when the point is not of 32 bytes,
    ///   ``SecureChannelError/Code/lowOrderPoint`` when the result is zero (RFC 7748 §6.1). The comparison takes the
    ///   same time wherever a byte differs.
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
            throw SecureChannelError(.malformed, blame: .peer, "an X25519 public key is not of 32 bytes")
        }
        guard !secret.withSpan(ConstantTime.isZero) else {
            throw SecureChannelError(.lowOrderPoint, blame: .peer, "an X25519 public key has low order")
        }
        return secret
    }

    /// Refuses a point of low order where the agreement itself is hidden, as it is inside HPKE.
    ///
    /// Every clamped scalar is a multiple of the cofactor and prime to the group's order, so a throw-away key maps to
    /// zero exactly the points that any other key does.
    package static func refuseLowOrder(_ point: some Collection<UInt8>) throws(SecureChannelError) {
        _ = try agree(Curve25519.KeyAgreement.PrivateKey(), with: Array(point).span)
    }
}
