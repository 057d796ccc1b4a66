internal import Crypto
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Suite 1: DHKEM(X25519, HKDF-SHA256) (RFC 9180, section 7.1).
struct ClassicKey: EncapsulationKey {
    /// Only exported secrets are used, so the context has no cipher.
    private static let ciphersuite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .exportOnly)

    private let key: Curve25519.KeyAgreement.PrivateKey

    init(_ scalar: borrowing SecretBytes) throws(SecureChannelError) {
        key = try X25519.privateKey(scalar)
    }

    var publicBytes: [UInt8] { [UInt8](key.publicKey.rawRepresentation) }

    // swift-crypto wipes the memory of this value.
    func representation() -> SecretBytes { SecretBytes(copying: key.rawRepresentation) }

    func recipient(encapsulatedKey: [UInt8], info: [UInt8]) throws(SecureChannelError) -> HPKE.Recipient {
        // HPKE does not check the shared secret; see X25519.
        try X25519.refuseLowOrder(encapsulatedKey)
        do {
            return try HPKE.Recipient(
                privateKey: key, ciphersuite: Self.ciphersuite, info: Data(info), encapsulatedKey: Data(encapsulatedKey)
            )
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "an encapsulated key is refused", underlying: error)
        }
    }

    static func sender(to publicKey: [UInt8], info: [UInt8]) throws(SecureChannelError) -> HPKE.Sender {
        try X25519.refuseLowOrder(publicKey)
        do {
            let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
            return try HPKE.Sender(recipientKey: key, ciphersuite: ciphersuite, info: Data(info))
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "a public key is refused", underlying: error)
        }
    }
}
