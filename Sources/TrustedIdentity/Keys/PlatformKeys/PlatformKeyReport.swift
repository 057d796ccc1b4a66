internal import OrchestrationProtocol
public import Primitives

/// The keys to replace.
public enum PlatformKeyUse: String, Sendable, Hashable, CaseIterable {
    /// The key that signs answers.
    case signing
    /// The keys of all suites that requests are sealed to.
    case sealing
    /// The key that signs checkpoints of the audit log.
    case audit
    /// All of these.
    case all
}

/// A key of the platform, without its private half.
public struct PlatformKeyReport: Sendable, Hashable {
    /// The place of a key in the succession of its kind.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// A statement lists it, and it is not in use yet.
        case announced
        /// It is in use: the platform signs with it, or devices seal to it.
        case current
        /// It has a successor in use. A sealing key still opens requests: each for 30 days, then `synchronize` only,
        /// and none 400 days after its successor began.
        case retired
        /// It has a successor, and its private half is erased.
        case erased
    }

    /// The first 8 bytes of the SHA-256 of the public key.
    public let id: [UInt8]
    /// The purpose.
    public let purpose: PlatformKeyPurpose
    /// The algorithm: `Ed25519`, `X25519` or `X-Wing`.
    public let algorithm: String
    /// The state at the time of the report.
    public let state: State
    /// The time from which it is in use.
    public let notBefore: Timestamp
    /// The last time at which a signing key signs, or a sealing key opens every message; nil while it has no successor.
    public let notAfter: Timestamp?

    init(_ record: PlatformKeyRecord, at time: Timestamp) {
        id = record.id
        purpose = record.purpose
        algorithm = record.kind.name
        notBefore = record.notBefore
        notAfter = record.notAfter
        state =
            if record.privateKey == nil {
                .erased
            } else if record.notBefore > time {
                .announced
            } else if let retiredAt = record.retiredAt, retiredAt <= time {
                .retired
            } else {
                .current
            }
    }
}

/// A key statement, as it is published.
public struct KeyStatementReport: Sendable, Hashable {
    /// A key in a statement.
    public struct Key: Sendable, Hashable {
        /// The first 8 bytes of the SHA-256 of the public key.
        public let id: [UInt8]
        /// The purpose.
        public let purpose: PlatformKeyPurpose
        /// The COSE number of the algorithm of a signing or audit key, or the suite of a sealing key.
        public let algorithm: Int64
        /// The public key in the form of its algorithm.
        public let publicKey: [UInt8]
        /// The time from which it is in use.
        public let notBefore: Timestamp
        /// The time until which it is in use; nil while it has no successor.
        public let notAfter: Timestamp?
    }

    /// The number of the statement, from 1.
    public let sequence: UInt64
    /// The ``fingerprint`` of the previous statement; nil in the first one.
    public let previous: [UInt8]?
    /// When it was made.
    public let time: Timestamp
    /// The list of its signatures, as the article "Key statements" describes it.
    public let statement: [UInt8]
    /// The SHA-256 of its payload.
    public let fingerprint: [UInt8]
    /// The keys in ascending order of their ids.
    public let keys: [Key]

    init(_ signatures: SignatureList) throws {
        let content = try KeyStatement(decoding: signatures.payload)
        sequence = content.sequence
        previous = content.previous
        time = content.time
        statement = signatures.encoded
        fingerprint = content.fingerprint
        keys = content.keys.map { key in
            let purpose: PlatformKeyPurpose =
                switch key.use {
                case .signing: .signing
                case .sealing: .sealing
                case .audit: .audit
                }
            return Key(
                id: key.kid, purpose: purpose, algorithm: key.algorithm, publicKey: key.bytes,
                notBefore: key.notBefore, notAfter: key.notAfter)
        }
    }
}

extension PlatformKeys.Kind {
    /// The name of the algorithm.
    fileprivate var name: String {
        switch (purpose, algorithm) {
        case (.signing, _), (.audit, _): COSEAlgorithm(rawValue: algorithm).description
        case (.sealing, Int64(Suite.classic.rawValue)): "X25519"
        case (.sealing, Int64(Suite.hybrid.rawValue)): "X-Wing"
        case (.sealing, _): "unknown(\(algorithm))"
        }
    }
}
