internal import Crypto
package import Primitives

/// The platform's own key that requests are sealed to.
///
/// The suite is fixed when the pair is made. No message can have a key used with another one: swift-crypto would take an
/// X-Wing key under the name of X25519.
package struct SealingKeyPair: Sendable {
    package let publicKey: PlatformPublicKey

    let privateKey: any EncapsulationKey

    package var suite: Suite { publicKey.suite }

    /// The first 8 bytes of the SHA-256 of the public key.
    package var kid: [UInt8] { publicKey.kid }

    /// 32 bytes that the pair can be made from again.
    package var privateRepresentation: SecretBytes { privateKey.representation() }

    /// Makes a new pair.
    ///
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` when this system cannot do the suite.
    package init(suite: Suite, random: any RandomSource) throws(SecureChannelError) {
        try self.init(suite: suite, privateRepresentation: random.secret(32))
    }

    /// Makes a stored pair again.
    ///
    /// - Throws: ``SecureChannelError/Code/malformed`` when the representation is not of 32 bytes,
    ///   ``SecureChannelError/Code/unsupportedSuite``.
    package init(suite: Suite, privateRepresentation: borrowing SecretBytes) throws(SecureChannelError) {
        switch suite {
        case .classic: privateKey = try ClassicKey(privateRepresentation)
        case .hybrid: privateKey = try XWing.key(seed: privateRepresentation)
        }
        publicKey = PlatformPublicKey(suite: suite, bytes: privateKey.publicBytes)
    }
}
