/// The version of the protocol that this library implements.
package enum ProtocolVersion {
    package static let current: UInt64 = 1

    /// The beginning of the external associated data of each signature. The name of the message follows.
    package static let prefix = "swift-orchestration/1 "
}

/// The lengths in bytes of fields with a fixed length.
package enum FieldSize {
    /// Session ids, request ids and device ids.
    package static let identifier = 16
    /// The beginning of the SHA-256 of a tenant's name in a pointer.
    package static let tenantHash = 8
    /// The id of a platform key: the first bytes of the SHA-256 of the public key.
    package static let keyID = 8
    /// An X25519 share, and the encapsulated key of suite 1.
    package static let share = 32
    /// A SHA-256 hash, or a tag of HMAC-SHA-256.
    package static let hash = 32
    /// Fresh random bytes.
    package static let random = 32
    /// The token that opens a stream of notifications.
    package static let streamToken = 16
    package static let ed25519Key = 32
    /// A compressed point of P-256.
    package static let p256Key = 33
    /// A public key of X-Wing, and of suite 2.
    package static let hybridKey = 1216
    /// A ciphertext of X-Wing, and the encapsulated key of suite 2.
    package static let hybridCiphertext = 1120
}

/// The maximum of fields with a variable length, in bytes or members.
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
    package static let notices = 8
    package static let methods = 8
    /// The keys of a key statement.
    package static let statedKeys = 16
    /// The bytes of a key of an unknown algorithm.
    package static let statedKey = 4096
    /// The signatures over one payload.
    package static let signatures = 4
    /// The bytes of a message in a list of signatures. A key statement with two keys each of Ed25519, ML-DSA-65, X25519
    /// and X-Wing has about 6,800 bytes, and a signature of ML-DSA-65 adds 3,309.
    package static let signedMessage = 16_384
    /// The bytes of a signature of an unknown algorithm.
    package static let signature = 8192
    /// The key statements of an answer.
    package static let statements = 8
    /// The bytes of the key statements of an answer with more than one statement. The command has at most 65,536 bytes.
    package static let statementBytes = 40_960
    package static let applications = 8
    /// The fields of an approval request that a user sees.
    package static let displayFields = 16
    /// The bytes of these fields.
    package static let displayBytes = 4096
    /// The session id and the request id of an application server.
    package static let applicationServerID = 256
    /// The bytes of the id of a principal: the SHA-256 of a client certificate in hexadecimal.
    package static let principalID = 64
    /// The code points of the name of a principal.
    package static let principalName = 64
    /// The digits of a number that the site shows.
    package static let numberDigits = 2...8
    /// The milliseconds during which an approval request can be answered.
    package static let approvalLifetime: Int64 = 300_000
    /// The approval requests in a list.
    package static let approvals = 16
    /// A receipt. With the maximum number of key statements, its answer has less than 65,536 bytes.
    package static let receipt = 12_288
    /// The pairs of the extensions of a message.
    package static let extensions = 16
    /// The bytes of the extensions of a message.
    package static let extensionBytes = 4608
    /// The encoding of device data, and its fields.
    package static let deviceData = 4096
    package static let deviceDataFields = 64
    /// The bytes of the longest text of device data.
    package static let deviceDataText = 1024
    /// The bytes of the name of an event that an app reports with its device data.
    package static let deviceDataEvent = 64
    /// An encoding inside an activation command: an offer, a choice, a sealed registration.
    package static let nested = 8192
    /// The sealed provisioning of an activation, with the signatures over a key statement.
    package static let provisioning = 32_768
    /// Counters, indexes and times: both sides store signed 64-bit integers.
    package static let number = UInt64(Int64.max)
}
