import Crypto
import Foundation

/// The public-key operations of an activation, alone: what CPace, the channel of steps 3 and 4 and the signatures cannot do
/// without. Hashes, ciphers, encodings and stores come on top.
enum ActivationFloor {
    static func classic() throws {
        try agreements()
        let key = Curve25519.KeyAgreement.PrivateKey()
        let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .exportOnly)
        try exchanges {
            let sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Data())
            _ = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(), encapsulatedKey: sender.encapsulatedKey)
        }
    }

    @available(macOS 26, iOS 26, *)
    static func hybrid() throws {
        try agreements()
        let key = try XWingMLKEM768X25519.PrivateKey.generate()
        // Suite 2 puts one encapsulation into the key of the activation itself.
        let result = try key.publicKey.encapsulate()
        _ = try key.decapsulate(result.encapsulated)
        let suite = HPKE.Ciphersuite.XWingMLKEM768X25519_SHA256_AES_GCM_256
        try exchanges {
            let sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Data())
            _ = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(), encapsulatedKey: sender.encapsulatedKey)
        }
    }

    /// CPace: each side multiplies the generator and the peer's share.
    private static func agreements() throws {
        for _ in 0..<2 {
            let (own, peer) = (Curve25519.KeyAgreement.PrivateKey(), Curve25519.KeyAgreement.PrivateKey())
            _ = try own.sharedSecretFromKeyAgreement(with: peer.publicKey)
            _ = try peer.sharedSecretFromKeyAgreement(with: own.publicKey)
        }
    }

    /// Steps 3 and 4: a sealed request that the device signs, and an answer that the platform signs.
    private static func exchanges(_ encapsulation: () throws -> Void) throws {
        let (device, platform) = (P256.Signing.PrivateKey(), Curve25519.Signing.PrivateKey())
        let (deviceKey, platformKey) = (device.publicKey, platform.publicKey)
        let message = [UInt8](repeating: 0x5A, count: 256)
        for _ in 0..<2 {
            try encapsulation()
            guard deviceKey.isValidSignature(try device.signature(for: message), for: message),
                platformKey.isValidSignature(try platform.signature(for: message), for: message)
            else { throw Unexpected("a signature is wrong") }
        }
    }
}
