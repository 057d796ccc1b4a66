internal import Crypto
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Suite 2: X-Wing (draft-connolly-cfrg-xwing-kem). Only this file depends on which systems have it.
///
/// The X25519 half of a public key or ciphertext is its last 32 bytes. A low-order point there would reduce X-Wing to
/// ML-KEM, so it is also refused here.
enum XWing {
    static let halfByteCount = 32

    /// Whether this system has X-Wing: always with swift-crypto's own code, and on Apple platforms since 2025.
    static var isAvailable: Bool {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) { true } else { false }
    }

    /// Returns the private key of a 32-byte seed.
    static func key(seed: borrowing SecretBytes) throws(SecureChannelError) -> any HybridKey {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { throw unavailable }
        return try Key(seed: seed)
    }

    /// Returns a fresh secret, and the ciphertext that carries it to the owner of the public key.
    static func encapsulate(
        to publicKey: [UInt8]
    ) throws(SecureChannelError) -> (secret: SymmetricKey, ciphertext: [UInt8]) {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { throw unavailable }
        try X25519.refuseLowOrder(publicKey.suffix(halfByteCount))
        do {
            let result = try XWingMLKEM768X25519.PublicKey(rawRepresentation: publicKey).encapsulate()
            return (result.sharedSecret, [UInt8](result.encapsulated))
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "an X-Wing public key is refused", underlying: error)
        }
    }

    /// Returns an HPKE context to the owner of the public key.
    static func sender(to publicKey: [UInt8], info: [UInt8]) throws(SecureChannelError) -> HPKE.Sender {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { throw unavailable }
        try X25519.refuseLowOrder(publicKey.suffix(halfByteCount))
        do {
            let key = try XWingMLKEM768X25519.PublicKey(rawRepresentation: publicKey)
            return try HPKE.Sender(recipientKey: key, ciphersuite: ciphersuite, info: Data(info))
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "an X-Wing public key is refused", underlying: error)
        }
    }

    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    private static var ciphersuite: HPKE.Ciphersuite {
        HPKE.Ciphersuite(kem: .XWingMLKEM768X25519, kdf: .HKDF_SHA256, aead: .exportOnly)
    }

    private static var unavailable: SecureChannelError {
        SecureChannelError(.unsupportedSuite, blame: .environment, "this system has no X-Wing")
    }

    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    private struct Key: HybridKey {
        private let key: XWingMLKEM768X25519.PrivateKey

        init(seed: borrowing SecretBytes) throws(SecureChannelError) {
            do {
                key = try seed.withBytes { span in
                    unsafe try span.withUnsafeBytes { unsafe try .init(seedRepresentation: $0, publicKey: nil) }
                }
            } catch {
                throw SecureChannelError(.malformed, blame: .bug, "an X-Wing seed does not have 32 bytes")
            }
        }

        var publicBytes: [UInt8] { [UInt8](key.publicKey.rawRepresentation) }

        func representation() -> SecretBytes { SecretBytes(wiping: key.seedRepresentation) }

        func decapsulate(_ ciphertext: [UInt8]) throws(SecureChannelError) -> SymmetricKey {
            try X25519.refuseLowOrder(ciphertext.suffix(halfByteCount))
            do {
                return try key.decapsulate(Data(ciphertext))
            } catch {
                throw SecureChannelError(
                    .malformed, blame: .peer, "an X-Wing ciphertext is refused", underlying: error)
            }
        }

        func recipient(encapsulatedKey: [UInt8], info: [UInt8]) throws(SecureChannelError) -> HPKE.Recipient {
            try X25519.refuseLowOrder(encapsulatedKey.suffix(halfByteCount))
            do {
                return try HPKE.Recipient(
                    privateKey: key, ciphersuite: ciphersuite, info: Data(info), encapsulatedKey: Data(encapsulatedKey))
            } catch {
                throw SecureChannelError(
                    .malformed, blame: .peer, "an X-Wing ciphertext is refused", underlying: error)
            }
        }
    }
}
