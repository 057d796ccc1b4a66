internal import Crypto
internal import Primitives
package import Wire

/// A public key of the platform that requests are sealed to.
package struct PlatformPublicKey: Sendable, Hashable {
    /// The first 8 bytes of the SHA-256 of ``bytes``.
    package let kid: [UInt8]

    package let suite: Suite

    /// 32 bytes, or 1,216 in suite 2.
    package let bytes: [UInt8]

    /// A key as it was stored or received. Whether its parts fit together is checked when something is sealed to it.
    package init(kid: [UInt8], suite: Suite, bytes: [UInt8]) {
        self.kid = kid
        self.suite = suite
        self.bytes = bytes
    }

    /// A key with the id that belongs to it.
    package init(suite: Suite, bytes: [UInt8]) {
        self.init(kid: Self.keyID(of: bytes), suite: suite, bytes: bytes)
    }

    /// A key of a provisioning.
    ///
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` or ``SecureChannelError/Code/wrongKey``.
    package init(_ key: Provisioning.SealingKey) throws(SecureChannelError) {
        self.init(kid: key.kid, suite: try Suite(wire: UInt64(key.suite)), bytes: key.bytes)
        try check()
    }

    /// The id of a public key of any kind: the first 8 bytes of its SHA-256.
    package static func keyID(of publicKey: [UInt8]) -> [UInt8] {
        SHA256.hash(data: publicKey).withSpan { [UInt8]($0.extracting(0..<FieldSize.keyID)) }
    }

    func check() throws(SecureChannelError) {
        guard kid == Self.keyID(of: bytes) else {
            throw SecureChannelError(.wrongKey, blame: .peer, "a platform key under the id of another")
        }
    }

    /// A fresh HPKE context to the owner of the key. The suite object is built from the suite of the key.
    func sender(info: [UInt8]) throws(SecureChannelError) -> HPKE.Sender {
        try check()
        switch suite {
        case .classic: return try ClassicKey.sender(to: bytes, info: info)
        case .hybrid: return try XWing.sender(to: bytes, info: info)
        }
    }
}
