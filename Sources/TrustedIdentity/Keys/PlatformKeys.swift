internal import Primitives
internal import SecureChannel

/// The key pairs of the platform, opened once. They never change; a change of key adds a new pair.
struct PlatformKeys: Sendable {
    /// The revision of the sealed keys. It states that the rows of the store are authenticated; see ``StoreUpgrade``.
    static let revision: Int64 = 2

    /// The key that signs answers and receipts.
    let signing: SigningKeyPair
    /// All sealing keys, the oldest first.
    let sealing: [SealingKeyPair]

    /// The latest sealing key of each suite, for new devices.
    var sealingInForce: [SealingKeyPair] {
        Suite.allCases.compactMap { suite in sealing.last { $0.suite == suite } }
    }

    /// Returns the sealing key with an id.
    func sealing(_ kid: [UInt8]) -> SealingKeyPair? { sealing.first { $0.kid == kid } }

    /// Upgrades a store of an earlier version, reads the keys, and creates missing ones.
    static func load(
        from store: LoggedStore, upgrade: StoreUpgrade, tenant: String, random: any RandomSource, now: Timestamp
    ) async throws -> PlatformKeys {
        let sealer = upgrade.sealer
        do {
            let made = try make(sealer: sealer, random: random, now: now)
            let (records, isStateAuthentic) = try await store.write { store in
                if let state = try store.platformState() {
                    guard state.tenant == tenant else { throw PlatformError(.wrongTenant) }
                } else {
                    // The row says what is suspended. A store that was used before has lost it to another program.
                    guard try store.isNew else { throw PlatformError(.alteredRow) }
                    let state = PlatformStateRecord(tenant: tenant, createdAt: now)
                    try requireWritten(store.insert(upgrade.authenticator.authenticated(state)))
                }
                try upgrade.run(in: store)
                let known = try store.platformKeys()
                for key in made where !known.contains(where: { $0.purpose == key.purpose && $0.suite == key.suite }) {
                    try requireWritten(store.insert(key))
                }
                let isStateAuthentic = try store.platformState().map(upgrade.authenticator.isAuthentic) ?? false
                return (try store.platformKeys(), isStateAuthentic)
            }
            let keys = try PlatformKeys(records, sealer: sealer)
            // After the keys were opened, because nothing is authentic under a wrong master key.
            guard isStateAuthentic else { throw PlatformError(.alteredRow) }
            return keys
        } catch let error where error is PlatformError || error is CancellationError {
            throw error
        } catch {
            throw PlatformError(failureOf: error)
        }
    }

    private init(_ records: [PlatformKeyRecord], sealer: RowSealer) throws {
        var signing: SigningKeyPair?
        var sealing: [SealingKeyPair] = []
        for record in records {
            let secret = try sealer.open(record.privateKey, .platformKey, row: record.id, revision: Self.revision)
            switch record.purpose {
            case .signing:
                signing = try SigningKeyPair(privateRepresentation: secret)
            case .sealing:
                guard let suite = Suite(rawValue: record.suite), Suite.supported.contains(suite) else { continue }
                sealing.append(try SealingKeyPair(suite: suite, privateRepresentation: secret))
            }
        }
        guard let signing, !sealing.isEmpty else { throw PlatformError(.internal) }
        self.signing = signing
        self.sealing = sealing
    }

    private static func make(
        sealer: RowSealer, random: any RandomSource, now: Timestamp
    ) throws -> [PlatformKeyRecord] {
        let seed = random.secret(32)
        let signing = try SigningKeyPair(privateRepresentation: seed)
        var records = [
            PlatformKeyRecord(
                id: signing.kid, purpose: .signing, suite: 0, publicKey: signing.publicBytes,
                privateKey: try sealer.seal(seed, .platformKey, row: signing.kid, revision: revision),
                createdAt: now)
        ]
        for suite in Suite.supported {
            let pair = try SealingKeyPair(suite: suite, random: random)
            records.append(
                PlatformKeyRecord(
                    id: pair.kid, purpose: .sealing, suite: suite.rawValue, publicKey: pair.publicKey.bytes,
                    privateKey: try sealer.seal(
                        pair.privateRepresentation, .platformKey, row: pair.kid, revision: revision),
                    createdAt: now))
        }
        return records
    }
}

extension StoreTransaction {
    /// Whether the store has no row of any use.
    fileprivate var isNew: Bool {
        get throws {
            try platformKeys().isEmpty && apiKeys().isEmpty && accounts(after: nil, limit: 1).isEmpty
                && devices(after: nil, limit: 1).isEmpty
        }
    }
}
