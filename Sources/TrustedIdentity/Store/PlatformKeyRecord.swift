public import Primitives

/// A key pair of the platform.
public struct PlatformKeyRecord: Sendable, Hashable {
    /// What a key pair is for. The raw values are what stores keep.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// Ed25519: signs answers and receipts.
        case signing
        /// X25519 or X-Wing: devices seal their requests to it.
        case sealing
    }

    /// The first 8 bytes of the SHA-256 of the public key; the key.
    public var id: [UInt8]
    /// What it is for.
    public var purpose: Purpose
    /// The suite of a sealing key; 0 for a signing key.
    public var suite: UInt8
    /// The public half.
    public var publicKey: [UInt8]
    /// The private half, sealed.
    public var privateKey: SealedValue
    /// When it was made. The latest of a purpose and suite is in force.
    public var createdAt: Timestamp

    /// Puts a row together.
    public init(
        id: [UInt8], purpose: Purpose, suite: UInt8, publicKey: [UInt8], privateKey: SealedValue, createdAt: Timestamp
    ) {
        self.id = id
        self.purpose = purpose
        self.suite = suite
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.createdAt = createdAt
    }
}
