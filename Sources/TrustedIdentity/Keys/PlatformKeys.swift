internal import Primitives
internal import SecureChannel
internal import Wire

/// The key pairs of the platform, opened, and its key statements: one state of both, which rotation replaces.
struct PlatformKeys: Sendable {
    /// The revision of the sealed keys. It states that the rows of the store are authenticated and that the keys have a
    /// statement; see ``StoreUpgrade``.
    static let revision: Int64 = 3

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

    /// The signing keys whose private halves are kept, by the beginning of their use.
    let signing: [Signing]
    /// The sealing keys whose private halves are kept, by the beginning of their use.
    let sealing: [Sealing]
    /// The rows of all keys, erased ones included.
    let records: [PlatformKeyRecord]
    /// The signatures over all statements, in ascending order: number n is at n - 1.
    let statements: [SignatureList]
    /// When each statement was made.
    let statedAt: [Timestamp]
    /// The latest statement.
    let latest: KeyStatement

    /// Opens the keys and verifies the statements of a store.
    ///
    /// - Parameters:
    ///   - records: All keys, whose rows were verified.
    ///   - rows: All statements, in ascending order.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for a key that does not open, `alteredRow` for statements that do
    ///   not follow from the first one, or that do not list the keys in use.
    init(_ records: [PlatformKeyRecord], _ rows: [KeyStatementRecord], sealer: RowSealer) throws {
        var (signing, sealing): ([Signing], [Sealing]) = ([], [])
        let ordered = records.sorted { ($0.notBefore, $0.createdAt) < ($1.notBefore, $1.createdAt) }
        for record in ordered {
            guard let sealed = record.privateKey else { continue }
            let secret = try sealer.open(sealed, .platformKey, row: record.id, revision: Self.revision)
            switch record.purpose {
            case .signing:
                guard record.algorithm == COSEAlgorithm.ed25519.rawValue else { throw PlatformError(.alteredRow) }
                let pair = try SigningKeyPair(privateRepresentation: secret)
                guard pair.kid == record.id else { throw PlatformError(.alteredRow) }
                signing.append(Signing(pair: pair, notBefore: record.notBefore))
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
        self.records = ordered
        statedAt = rows.map(\.createdAt)
        do {
            statements = try rows.map { try SignatureList(decoding: $0.statement) }
            latest = try KeyStatement.verified(published: statements)
        } catch {
            throw PlatformError(.alteredRow, underlying: error)
        }
        let newest =
            signing.suffix(1).map(\.pair.kid)
            + Suite.supported.compactMap { suite in
                sealing.last { $0.pair.suite == suite }?.pair.kid
            }
        guard !signing.isEmpty, latest.sequence == rows.last?.sequence,
            newest.allSatisfy({ kid in latest.keys.contains { $0.kid == kid } })
        else { throw PlatformError(.alteredRow) }
    }

    /// Returns the key that signs at a time: the latest one that is in use.
    ///
    /// A clock that was set back before the first key still has one.
    func signingKey(at time: Timestamp) -> SigningKeyPair {
        guard let key = signing.last(where: { $0.notBefore <= time }) ?? signing.first else {
            preconditionFailure("the initializer requires a signing key")
        }
        return key.pair
    }

    /// Returns the sealing key with an id, unless its time is over.
    func sealingKey(_ kid: [UInt8], at time: Timestamp) -> Sealing? {
        sealing.first { $0.pair.kid == kid && $0.record.isKept(at: time) }
    }

    /// Returns the statements that follow a number, as many as one answer holds.
    func statements(after sequence: UInt64) -> [SignatureList] {
        Array(statements.dropFirst(Int(clamping: sequence)).prefix(FieldLimit.statements))
    }

    /// Whether one answer holds all statements that follow a number.
    func isWithinOneAnswer(of sequence: UInt64) -> Bool {
        statements.count - Int(clamping: sequence) <= FieldLimit.statements
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

/// The times of the life of a key. The article "Key statements" has the reasons.
enum PlatformKeyLifetime {
    /// The time for which a replaced sealing key opens every message, in milliseconds: 30 days.
    static let overlap: Int64 = 30 * 86_400_000
    /// The time for which a replaced sealing key opens `synchronize` at most, in milliseconds: 400 days.
    static let recovery: Int64 = 400 * 86_400_000
    /// The time after which the private half of a replaced signing key is erased, in milliseconds: 24 hours.
    static let signingRetention: Int64 = 86_400_000
}

extension PlatformKeyRecord {
    /// Whether the private half of the key may still be used.
    func isKept(at time: Timestamp) -> Bool {
        guard let retiredAt else { return true }
        return time <= retiredAt.advanced(milliseconds: PlatformKeyLifetime.recovery)
    }

    /// Whether a request that is sealed to the key is honored.
    func isHonored(for type: MessageType, at time: Timestamp) -> Bool {
        guard let notAfter, time > notAfter else { return true }
        return type == .synchronize
    }

    /// Gives the key a successor.
    ///
    /// - Parameters:
    ///   - time: The beginning of the use of the successor.
    ///   - sequence: The number of the statement that lists it first.
    mutating func retire(at time: Timestamp, replacedIn sequence: UInt64) {
        retiredAt = time
        switch purpose {
        case .signing: notAfter = time
        case .sealing: notAfter = time.advanced(milliseconds: PlatformKeyLifetime.overlap)
        }
        replacedIn = sequence
    }
}
