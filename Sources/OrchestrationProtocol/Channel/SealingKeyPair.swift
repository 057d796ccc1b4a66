internal import Crypto
package import Primitives

/// A platform public key to which requests are sealed.
package struct PlatformPublicKey: Sendable, Hashable {
    /// The first 8 bytes of the SHA-256 of ``bytes``.
    package let kid: [UInt8]

    package let suite: Suite

    /// The public key: 32 bytes, or 1,216 in suite 2.
    package let bytes: [UInt8]

    /// Creates a key from its stored or received parts. Sealing to the key checks that the id belongs to it.
    package init(kid: [UInt8], suite: Suite, bytes: [UInt8]) {
        self.kid = kid
        self.suite = suite
        self.bytes = bytes
    }

    /// Creates a key with the id that belongs to it.
    package init(suite: Suite, bytes: [UInt8]) {
        self.init(kid: Self.keyID(of: bytes), suite: suite, bytes: bytes)
    }

    /// Returns the id of a public key of any kind: the first 8 bytes of its SHA-256.
    package static func keyID(of publicKey: [UInt8]) -> [UInt8] {
        SHA256.hash(data: publicKey).withSpan { [UInt8]($0.extracting(0..<FieldSize.keyID)) }
    }

    /// Checks that the id belongs to the key.
    private func check() throws(SecureChannelError) {
        guard kid == Self.keyID(of: bytes) else {
            throw SecureChannelError(.wrongKey, blame: .peer, "a platform key has the id of another key")
        }
    }

    /// Returns a fresh HPKE context to the owner of the key. The ciphersuite depends only on the suite of the key.
    func sender(info: [UInt8]) throws(SecureChannelError) -> HPKE.Sender {
        try check()
        switch suite {
        case .classic: return try ClassicKey.sender(to: bytes, info: info)
        case .hybrid: return try XWing.sender(to: bytes, info: info)
        }
    }
}

/// The platform key pair to which requests are sealed.
///
/// The suite is fixed when the pair is created, and no message can change it: swift-crypto accepts an X-Wing key as an
/// X25519 key.
package struct SealingKeyPair: Sendable {
    package let publicKey: PlatformPublicKey

    let privateKey: any EncapsulationKey

    package var suite: Suite { publicKey.suite }

    /// The first 8 bytes of the SHA-256 of the public key.
    package var kid: [UInt8] { publicKey.kid }

    /// The 32 bytes of the pair, to be sealed and stored.
    package var privateRepresentation: SecretBytes { privateKey.representation() }

    /// Creates a new pair.
    ///
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` if this system does not have the suite.
    package init(suite: Suite, random: any RandomSource) throws(SecureChannelError) {
        try self.init(suite: suite, privateRepresentation: random.secret(32))
    }

    /// Creates a pair from its stored form.
    ///
    /// - Throws: ``SecureChannelError/Code/malformed`` if the representation does not have 32 bytes,
    ///   ``SecureChannelError/Code/unsupportedSuite``.
    package init(suite: Suite, privateRepresentation: borrowing SecretBytes) throws(SecureChannelError) {
        switch suite {
        case .classic: privateKey = try ClassicKey(privateRepresentation)
        case .hybrid: privateKey = try XWing.key(seed: privateRepresentation)
        }
        publicKey = PlatformPublicKey(suite: suite, bytes: privateKey.publicBytes)
    }
}
