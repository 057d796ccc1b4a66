/// The public key of the platform's signatures.
package struct PlatformSigningKey: Sendable, Hashable {
    /// The id of the key, 8 bytes.
    package var kid: [UInt8]

    /// An Ed25519 public key, 32 bytes.
    package var bytes: [UInt8]

    package init(kid: [UInt8], bytes: [UInt8]) {
        self.kid = kid
        self.bytes = bytes
    }
}

/// A public key of the platform to which requests are sealed.
package struct PlatformSealingKey: Sendable, Hashable {
    /// The id of the key, 8 bytes.
    package var kid: [UInt8]

    /// The number of its suite: 1 for X25519, 2 for X-Wing.
    package var suite: UInt8

    /// The public key in the form of its suite, 32 or 1,216 bytes.
    package var bytes: [UInt8]

    package init(kid: [UInt8], suite: UInt8, bytes: [UInt8]) {
        self.kid = kid
        self.suite = suite
        self.bytes = bytes
    }
}
