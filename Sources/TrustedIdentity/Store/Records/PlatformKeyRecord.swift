public import Primitives

/// A key pair of the platform.
public struct PlatformKeyRecord: VersionedRecord, Hashable {
    /// The purpose of a key pair. Stores keep the raw values.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// It signs answers, receipts and key statements.
        case signing
        /// Devices seal their requests to it.
        case sealing
        /// It signs checkpoints of the audit log, and nothing else.
        case audit
    }

    /// The first 8 bytes of the SHA-256 of the public key; the key.
    public var id: [UInt8]
    /// The purpose.
    public var purpose: Purpose
    /// The COSE number of the algorithm of a signing or audit key (-19 for Ed25519), or the suite of a sealing key (1
    /// for X25519, 2 for X-Wing).
    public var algorithm: Int64
    /// The public key.
    public var publicKey: [UInt8]
    /// The private key, sealed; nil once erased.
    public var privateKey: SealedValue?
    /// The time of its creation.
    public var createdAt: Timestamp
    /// The time from which it is in use.
    public var notBefore: Timestamp
    /// The time from which its successor is in use; nil while it has none.
    public var retiredAt: Timestamp?
    /// The last time at which a signing key signs, or a sealing key opens every message; nil while it has no successor.
    public var notAfter: Timestamp?
    /// The number of the first key statement that lists its successor; nil while it has none. Below 2^63.
    public var replacedIn: UInt64?
    /// The number of updates.
    public var version: Int64
    /// The HMAC of the row, 32 bytes. Stores keep it, and the platform makes and verifies it.
    public var authenticationCode: [UInt8]?

    /// Creates the row of a key without a successor.
    public init(
        id: [UInt8], purpose: Purpose, algorithm: Int64, publicKey: [UInt8], privateKey: SealedValue?,
        createdAt: Timestamp, notBefore: Timestamp, version: Int64 = 0, authenticationCode: [UInt8]? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.createdAt = createdAt
        self.notBefore = notBefore
        self.version = version
        self.authenticationCode = authenticationCode
    }
}

/// A published statement of the keys of the platform. It is signed, and never changes.
public struct KeyStatementRecord: Sendable, Hashable {
    /// The number of the statement, from 1; the key. Below 2^63.
    public var sequence: UInt64
    /// The statement with its signatures, as it is published.
    public var statement: [UInt8]
    /// The time of its creation. It decides nothing.
    public var createdAt: Timestamp

    /// Creates a row.
    public init(sequence: UInt64, statement: [UInt8], createdAt: Timestamp) {
        self.sequence = sequence
        self.statement = statement
        self.createdAt = createdAt
    }
}
