package import Primitives

/// The purpose of a key pair. The database has the raw values.
public enum PlatformKeyPurpose: String, Sendable, Hashable, CaseIterable {
    /// It signs answers, receipts and key statements.
    case signing
    /// Devices seal their requests to it.
    case sealing
    /// It signs checkpoints of the audit log, and nothing else.
    case audit
}

/// A key pair of the platform.
package struct PlatformKeyRecord: VersionedRecord, Hashable {
    /// The first 8 bytes of the SHA-256 of the public key; the key.
    package var id: [UInt8]
    /// The purpose.
    package var purpose: PlatformKeyPurpose
    /// The COSE number of the algorithm of a signing or audit key (-19 for Ed25519), or the suite of a sealing key (1
    /// for X25519, 2 for X-Wing).
    package var algorithm: Int64
    /// The public key.
    package var publicKey: [UInt8]
    /// The private key, sealed; nil once erased.
    package var privateKey: SealedValue?
    /// The time of its creation.
    package var createdAt: Timestamp
    /// The time from which it is in use.
    package var notBefore: Timestamp
    /// The time from which its successor is in use; nil while it has none.
    package var retiredAt: Timestamp?
    /// The last time at which a signing key signs, or a sealing key opens every message; nil while it has no successor.
    package var notAfter: Timestamp?
    /// The number of the first key statement that lists its successor; nil while it has none. Below 2^63.
    package var replacedIn: UInt64?
    /// The number of updates.
    package var version: Int64 = 0
}

/// A published statement of the keys of the platform. It is signed, and never changes.
package struct KeyStatementRecord: Sendable, Hashable {
    /// The number of the statement, from 1; the key. Below 2^63.
    package var sequence: UInt64
    /// The statement with its signatures, as it is published.
    package var statement: [UInt8]
    /// The time of its creation. It decides nothing.
    package var createdAt: Timestamp
}
