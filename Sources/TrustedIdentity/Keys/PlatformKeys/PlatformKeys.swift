internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The platform's opened key pairs and its key statements: one state of both, which rotation replaces.
struct PlatformKeys: Sendable {
    /// A key that signs answers, receipts and statements.
    struct Signing: Sendable {
        let pair: SigningKeyPair
        let notBefore: Timestamp
    }

    /// A key that requests are sealed to.
    struct Sealing: Sendable {
        let pair: SealingKeyPair
        let record: PlatformKeyRecord
    }

    /// A key that signs checkpoints of the audit log.
    struct Audit: Sendable {
        let pair: AuditKeyPair
        let notBefore: Timestamp
    }

    /// The signing keys whose private halves are kept, by the beginning of their use.
    let signing: [Signing]
    /// The sealing keys whose private halves are kept, by the beginning of their use.
    let sealing: [Sealing]
    /// The audit keys whose private halves are kept, by the beginning of their use.
    let audit: [Audit]
    /// The rows of all keys, erased ones included.
    let records: [PlatformKeyRecord]
    /// The signatures over all statements, in ascending order: number n is at n - 1.
    let statements: [SignatureList]
    /// The latest statement.
    let latest: KeyStatement
    /// The ``KeyStatement/fingerprint`` of statement 1, which no other platform has and which never changes.
    let firstFingerprint: [UInt8]

    /// The number of inserts and updates that led to this state. Each key change raises it.
    var stateNumber: Int64 { records.reduce(0) { $0 + 1 + $1.version } }

    /// Opens the keys and verifies the statements of a store.
    ///
    /// - Parameters:
    ///   - records: All keys, whose rows were verified.
    ///   - rows: All statements, in ascending order.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for a key that does not open, `alteredRow` for statements that
    ///   do not follow from the first one, and for keys that do not belong to the last one: of each kind, exactly one
    ///   key has no successor. The last statement lists that key and the successors of the others.
    init(_ records: [PlatformKeyRecord], _ rows: [KeyStatementRecord], sealer: RowSealer) throws {
        var (signing, sealing, audit): ([Signing], [Sealing], [Audit]) = ([], [], [])
        let ordered = records.sorted { ($0.notBefore, $0.createdAt) < ($1.notBefore, $1.createdAt) }
        for record in ordered {
            guard let sealed = record.privateKey else { continue }
            let secret = try sealer.open(sealed, .platformKey, row: record.id, revision: 0)
            switch record.purpose {
            case .signing:
                guard record.algorithm == COSEAlgorithm.ed25519.rawValue else { throw PlatformError(.alteredRow) }
                let pair = try SigningKeyPair(privateRepresentation: secret)
                guard pair.kid == record.id else { throw PlatformError(.alteredRow) }
                signing.append(Signing(pair: pair, notBefore: record.notBefore))
            case .audit:
                guard record.kind == .audit else { throw PlatformError(.alteredRow) }
                let pair = try AuditKeyPair(privateRepresentation: secret)
                guard pair.id == record.id else { throw PlatformError(.alteredRow) }
                audit.append(Audit(pair: pair, notBefore: record.notBefore))
            case .sealing:
                guard let suite = UInt8(exactly: record.algorithm).flatMap(Suite.init(rawValue:)) else {
                    throw PlatformError(.alteredRow)
                }
                guard Suite.supported.contains(suite) else { continue }
                let pair = try SealingKeyPair(suite: suite, privateRepresentation: secret)
                guard pair.kid == record.id else { throw PlatformError(.alteredRow) }
                sealing.append(Sealing(pair: pair, record: record))
            }
        }
        self.signing = signing
        self.sealing = sealing
        self.audit = audit
        self.records = ordered
        do {
            statements = try rows.map { try SignatureList(decoding: $0.statement) }
            latest = try KeyStatement.verified(published: statements)
            guard let first = statements.first else { throw PlatformError(.alteredRow) }
            firstFingerprint = Array(SHA256.hash(data: first.payload))
        } catch {
            throw PlatformError(.alteredRow, underlying: error)
        }
        // If a key's row is removed together with the statements that list it, a key remains whose successor is
        // missing.
        let newest = ordered.filter { $0.retiredAt == nil }
        guard !signing.isEmpty, !audit.isEmpty, latest.sequence == rows.last?.sequence,
            newest.allSatisfy({ key in latest.keys.contains { $0.kid == key.id } }),
            newest.map(\.kind).count == Set(ordered.map(\.kind)).count, Set(newest.map(\.kind)).count == newest.count,
            ordered.allSatisfy({ ($0.replacedIn ?? 1) <= latest.sequence })
        else { throw PlatformError(.alteredRow) }
    }

    /// Returns the key that signs at a time: the latest one that is in use.
    ///
    /// There is a key even if the clock was set back to before the first key.
    func signingKey(at time: Timestamp) -> SigningKeyPair {
        guard let key = signing.last(where: { $0.notBefore <= time }) ?? signing.first else {
            preconditionFailure("the initializer requires a signing key")
        }
        return key.pair
    }

    /// Returns the key that signs checkpoints at a time, as ``signingKey(at:)`` does.
    func auditKey(at time: Timestamp) -> AuditKeyPair {
        guard let key = audit.last(where: { $0.notBefore <= time }) ?? audit.first else {
            preconditionFailure("the initializer requires an audit key")
        }
        return key.pair
    }

    /// Returns the sealing key with an id, while its private half may be used.
    func sealingKey(_ kid: [UInt8], at time: Timestamp) -> Sealing? {
        sealing.first { $0.pair.kid == kid && $0.record.isKept(at: time) }
    }

    /// Returns the statements that follow a number, as many as one answer can contain.
    func statements(after sequence: UInt64) -> [SignatureList] {
        let following = statements.dropFirst(Int(clamping: sequence))
        return Array(following.prefix(SealedAnswer.count(fitting: following)))
    }

    /// Whether one answer can contain all statements that follow a number.
    func isWithinOneAnswer(of sequence: UInt64) -> Bool {
        let following = statements.dropFirst(Int(clamping: sequence))
        return SealedAnswer.count(fitting: following) == following.count
    }
}

extension KeyStatement {
    /// Verifies statements from the first one on.
    ///
    /// - Returns: The last one.
    static func verified(published statements: [SignatureList]) throws -> KeyStatement {
        guard let first = statements.first else { throw PlatformError(.alteredRow) }
        let statement = try KeyStatement.verified(first: first, suite: nil)
        guard statement.sequence == 1 else { throw PlatformError(.alteredRow) }
        return try statement.verified(following: Array(statements.dropFirst()), suite: nil)
    }
}
