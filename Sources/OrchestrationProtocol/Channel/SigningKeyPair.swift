internal import Crypto
package import Primitives

/// The platform's Ed25519 key pair for signing answers.
package struct SigningKeyPair: Sendable {
    /// The first 8 bytes of the SHA-256 of ``publicBytes``.
    package let kid: [UInt8]

    /// The public key, 32 bytes.
    package let publicBytes: [UInt8]

    private let privateKey: Curve25519.Signing.PrivateKey
    /// The header of all signatures made with the key.
    private let header: COSEHeader

    /// Creates a pair from its stored form, or a new pair from 32 random bytes.
    ///
    /// - Throws: ``SecureChannelError/Code/malformed`` if the representation does not have 32 bytes.
    package init(privateRepresentation: borrowing SecretBytes) throws(SecureChannelError) {
        do {
            privateKey = try privateRepresentation.withBytes { span throws in
                try unsafe span.withUnsafeBytes { try unsafe Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
            }
        } catch {
            throw SecureChannelError(
                .malformed, blame: .caller, "the bytes are not an Ed25519 private key", underlying: error)
        }
        publicBytes = [UInt8](privateKey.publicKey.rawRepresentation)
        kid = PlatformPublicKey.keyID(of: publicBytes)
        header = COSEHeader(algorithm: .ed25519, keyID: kid)
    }

    /// Signs a payload.
    func sign(_ payload: [UInt8], externalAAD: [UInt8]) throws -> Sign1 {
        try Sign1.signing(payload, header: header, externalAAD: externalAAD) { bytes in
            [UInt8](try privateKey.signature(for: bytes))
        }
    }
}
