/// Lengths in bytes of what has a fixed length on the wire.
package enum FieldSize {
    /// Session ids, request ids and device ids.
    package static let identifier = 16
    /// The id of a platform key: the beginning of the SHA-256 of the public key.
    package static let keyID = 8
    /// An X25519 share, and the encapsulated key of suite 1.
    package static let share = 32
    /// A SHA-256 hash, and the tags that are made with HMAC-SHA-256.
    package static let hash = 32
    /// The fresh bytes that each side adds.
    package static let random = 32
    package static let ed25519Key = 32
    /// A compressed point of P-256.
    package static let p256Key = 33
    /// A public key of X-Wing, and of suite 2.
    package static let hybridKey = 1216
    /// A ciphertext of X-Wing, and the encapsulated key of suite 2.
    package static let hybridCiphertext = 1120
}

/// The most that a field of free length may hold, in bytes or members.
package enum FieldLimit {
    package static let tenant = 64
    /// The user id, "@" and the domain.
    package static let account = 193
    package static let deviceName = 64
    package static let sdkVersion = 32
    package static let serialNumber = 32
    package static let notificationIdentifier = 1024
    package static let suites = 4
    package static let capabilities = 16
    package static let methods = 8
    package static let sealingKeys = 4
    package static let applications = 8
    /// What stands in the activation's plain frames: offers, choices, sealed provisioning.
    package static let nested = 8192
    /// Counters, indexes and times are stored as signed 64-bit integers at both ends.
    package static let number = UInt64(Int64.max)
}
