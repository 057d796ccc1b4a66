internal import Crypto
package import Primitives
internal import Wire

/// The platform's own Ed25519 key that answers are signed with, and what is the same in all of its signatures.
package struct SigningKeyPair: Sendable {
    /// The first 8 bytes of the SHA-256 of ``publicBytes``.
    package let kid: [UInt8]

    /// 32 bytes.
    package let publicBytes: [UInt8]

    private let privateKey: Curve25519.Signing.PrivateKey
    private let header: COSEHeader

    /// Makes a stored pair again, or a new one of fresh random bytes.
    ///
    /// - Throws: ``SecureChannelError/Code/malformed`` when the representation is not of 32 bytes.
    package init(privateRepresentation: borrowing SecretBytes) throws(SecureChannelError) {
        do {
            privateKey = try privateRepresentation.withBytes { span throws in
                try unsafe span.withUnsafeBytes { try unsafe Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
            }
        } catch {
            throw SecureChannelError(.malformed, blame: .caller, "not an Ed25519 private key", underlying: error)
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
