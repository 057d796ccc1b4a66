internal import OrchestrationProtocol
internal import Primitives

// New keys and statements.
extension PlatformKeys {
    /// A kind of key: keys of one kind follow each other.
    struct Kind: Sendable, Hashable {
        let purpose: PlatformKeyPurpose
        let algorithm: Int64

        /// The kind of the key that signs checkpoints of the audit log.
        static let audit = Kind(purpose: .audit, algorithm: COSEAlgorithm.ed25519.rawValue)

        /// The kinds that this system has.
        static var supported: [Kind] {
            [Kind(purpose: .signing, algorithm: COSEAlgorithm.ed25519.rawValue)]
                + Suite.supported.map { Kind(purpose: .sealing, algorithm: Int64($0.rawValue)) } + [audit]
        }
    }

    /// Reads the keys, and creates missing ones.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow` when the row about the platform, a key or a statement was changed
    ///   or removed by another program.
    static func load(
        from store: Store, sealer: RowSealer, random: any RandomSource, now: Timestamp
    ) async throws -> PlatformKeys {
        return try await PlatformError.mapping {
            // The first key of a kind is valid from 1970 on: a wrong clock at the first start has no effect later.
            let start = Timestamp(millisecondsSinceEpoch: 0)
            let made = try Kind.supported.map {
                try make($0, sealer: sealer, random: random, now: now, notBefore: start)
            }
            return try await store.write { store in
                _ = try store.currentState()
                let known = try store.platformKeys()
                let missing = made.filter { key in !known.contains { $0.kind == key.kind } }
                if !missing.isEmpty {
                    // The first statement of a store is made with its first keys.
                    let statements = try store.keyStatements(after: 0)
                    guard known.isEmpty == statements.isEmpty else { throw PlatformError(.alteredRow) }
                    // A store that is not new contains an audit key, unless another program has removed it.
                    guard known.isEmpty || !missing.contains(where: { $0.purpose == .audit }) else {
                        throw PlatformError(.alteredRow)
                    }
                    for key in missing { try requireWritten(store.insert(key)) }
                    try insertStatement(of: known + missing, in: store, sealer: sealer, now: now)
                }
                return try PlatformKeys(store.platformKeys(), store.keyStatements(after: 0), sealer: sealer)
            }
        }
    }

    /// Makes a key.
    static func make(
        _ kind: Kind, sealer: RowSealer, random: any RandomSource, now: Timestamp, notBefore: Timestamp
    ) throws -> PlatformKeyRecord {
        let (id, publicKey, secret): ([UInt8], [UInt8], SecretBox<SecretBytes>)
        switch kind.purpose {
        case .signing:
            let seed = random.secret(32)
            let pair = try SigningKeyPair(privateRepresentation: seed)
            (id, publicKey, secret) = (pair.kid, pair.publicBytes, SecretBox(seed))
        case .audit:
            let seed = random.secret(32)
            let pair = try AuditKeyPair(privateRepresentation: seed)
            (id, publicKey, secret) = (pair.id, pair.publicKey, SecretBox(seed))
        case .sealing:
            guard let suite = UInt8(exactly: kind.algorithm).flatMap(Suite.init(rawValue:)) else {
                throw PlatformError(.internal)
            }
            let pair = try SealingKeyPair(suite: suite, random: random)
            (id, publicKey, secret) = (pair.kid, pair.publicKey.bytes, SecretBox(pair.privateRepresentation))
        }
        return PlatformKeyRecord(
            id: id, purpose: kind.purpose, algorithm: kind.algorithm, publicKey: publicKey,
            privateKey: try sealer.seal(secret.secret, .platformKey, row: id, revision: 0), createdAt: now,
            notBefore: notBefore)
    }

    /// Makes, signs and stores the next statement.
    ///
    /// Its time is `now`, or a millisecond after the previous statement if the clock was set back. The signer is valid
    /// at this time by the previous statement, and both statements list it.
    ///
    /// - Parameter keys: All keys as they are after the transaction.
    static func insertStatement(
        of keys: [PlatformKeyRecord], in store: StoreTransaction, sealer: RowSealer, now: Timestamp
    ) throws {
        let before = try store.keyStatements(after: 0).last.map { row in
            try KeyStatement(decoding: SignatureList(decoding: row.statement).payload)
        }
        var statement = KeyStatement(
            sequence: (before?.sequence ?? 0) + 1, previous: before?.fingerprint,
            time: max(now, before?.time.advanced(milliseconds: 1) ?? now), keys: stated(keys, now: now))
        let signers = (before ?? statement).keys.filter { signer in
            statement.keys.contains { $0.kid == signer.kid }
                && keys.contains { $0.id == signer.kid && $0.purpose == .signing && $0.privateKey != nil }
        }.sorted { $0.notBefore < $1.notBefore }
        // A clock that was set back may be before the beginning of the only key that is left.
        guard
            let signer = signers.last(where: { $0.isValid(at: statement.time) })
                ?? signers.first(where: { $0.notBefore > statement.time }),
            let sealed = keys.first(where: { $0.id == signer.kid })?.privateKey
        else { throw PlatformError(.internal) }
        statement.time = max(statement.time, signer.notBefore)
        let secret = try sealer.open(sealed, .platformKey, row: signer.kid, revision: 0)
        let signed = try statement.signed(with: [SigningKeyPair(privateRepresentation: secret)])
        try requireWritten(
            store.insert(
                KeyStatementRecord(sequence: statement.sequence, statement: signed.encoded, createdAt: now)))
    }

    /// Returns the keys that a statement lists: the latest two of each kind. A signing or audit key stays for 30 days
    /// after its end, and a sealing key until its end.
    ///
    /// Up to four further signing keys stay for ten minutes. A device verifies an approval request and its receipt with
    /// the latest statement, and the keys may be replaced several times in between.
    private static func stated(_ keys: [PlatformKeyRecord], now: Timestamp) -> [StatedKey] {
        Dictionary(grouping: keys, by: \.kind).values.flatMap { keys in
            let kept = keys.filter { $0.isStated(at: now) }.sorted { $0.notBefore < $1.notBefore }
            let further = kept.dropLast(2).filter { $0.wasReplacedRecently(at: now) }.suffix(4)
            return (further + kept.suffix(2)).map(\.stated)
        }
    }
}

extension PlatformKeyRecord {
    var kind: PlatformKeys.Kind { PlatformKeys.Kind(purpose: purpose, algorithm: algorithm) }

    fileprivate func isStated(at time: Timestamp) -> Bool {
        guard let retiredAt else { return true }
        return time <= retiredAt.advanced(milliseconds: PlatformKeyLifetime.overlap)
    }

    /// Whether the key is a signing key that was replaced within ten minutes before a time.
    fileprivate func wasReplacedRecently(at time: Timestamp) -> Bool {
        guard purpose == .signing, let retiredAt else { return false }
        return time <= retiredAt.advanced(milliseconds: PlatformKeyLifetime.approval)
    }

    fileprivate var stated: StatedKey {
        let use: StatedKey.Use =
            switch purpose {
            case .signing: .signing
            case .sealing: .sealing
            case .audit: .audit
            }
        return StatedKey(
            kid: id, use: use, algorithm: algorithm, bytes: publicKey, notBefore: notBefore, notAfter: notAfter)
    }
}
