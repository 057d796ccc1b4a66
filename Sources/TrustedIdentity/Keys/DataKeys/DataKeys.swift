internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The keys of a store. They seal and authenticate its rows, and hash the secrets by which it is searched.
///
/// They are random. The row about the platform contains them, wrapped by the master key. A new master key changes that
/// row only.
struct DataKeys: Sendable, Redacted {
    private static let count = 6

    /// The six keys of 32 bytes, one after another.
    private let bytes: SecretBox<SecretBytes>
    /// The key after HKDF-Extract, from which the key of each sealed value is expanded.
    let sealing: SecretBox<PreparedMAC>
    /// The key of the HMACs of rows.
    let authentication: SecretBox<PreparedMAC>
    /// The keys of the hashes.
    let hashes: KeyedHashes
    /// The key of the HMAC at the end of an exported audit log.
    let auditExport: SymmetricKey
    /// The key of the HMACs that name topics to other processes.
    let topics: SymmetricKey
    /// The name of the keys in an exported audit log: 16 hexadecimal digits.
    let id: String

    /// Always the same words.
    var description: String { "data keys" }

    /// Creates random keys.
    init(random: any RandomSource) throws {
        try self.init(SymmetricKey.joined((0..<Self.count).map { _ in SymmetricKey(random.secret(32)) }))
    }

    /// Takes the keys of a store.
    ///
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for another length.
    init(_ bytes: consuming SecretBytes) throws {
        let keys = try SymmetricKey.parts(of: bytes, count: Self.count)
        self.bytes = SecretBox(bytes)
        sealing = SecretBox(KeyDerivation<SHA256>.extracted(keys[0]))
        authentication = SecretBox(PreparedMAC(keys[1]))
        hashes = KeyedHashes(keys: Array(keys[2..<6]))
        auditExport = KeyDerivation<SHA256>.deriveKey(keys[1], as: .auditExport)
        topics = KeyDerivation<SHA256>.deriveKey(keys[1], as: .changeTopic)
        id = Hex.encode(
            Array(HMAC<SHA256>.authenticationCode(for: Label.dataKeysID.bytes, using: auditExport).prefix(8)))
    }

    /// Opens the keys of a store.
    ///
    /// The row about the platform is not verified here: the keys that it contains verify it.
    ///
    /// - Parameters:
    ///   - state: The row about the platform.
    ///   - masterKeys: The master keys of the caller, of which the row names one.
    /// - Throws: ``PlatformError`` with `wrongTenant`; `wrongMasterKey`, above a ``MissingMasterKey`` when the caller
    ///   lacks the key.
    init(_ state: PlatformStateRecord, tenant: String, masterKeys: [MasterKey]) throws {
        let masterKey = try Self.masterKey(of: state, tenant: tenant, among: masterKeys)
        let sealer = RowSealer(tenant: tenant, masterKey: masterKey, random: SystemRandomSource())
        try self.init(sealer.open(state.dataKeys, .dataKeys, row: Array(masterKey.id.utf8)))
    }

    /// Returns the master key that a store needs.
    ///
    /// - Throws: As ``init(_:tenant:masterKeys:)`` does.
    static func masterKey(
        of state: PlatformStateRecord, tenant: String, among masterKeys: [MasterKey]
    ) throws -> MasterKey {
        guard state.tenant == tenant else { throw PlatformError(.wrongTenant) }
        guard let masterKey = masterKeys.first(where: { $0.id == state.masterKeyID }) else {
            throw PlatformError(.wrongMasterKey, underlying: MissingMasterKey(id: state.masterKeyID))
        }
        return masterKey
    }

    /// Returns the keys, wrapped by a master key.
    func wrapped(by masterKey: MasterKey, tenant: String, random: any RandomSource) throws -> SealedValue {
        try RowSealer(tenant: tenant, masterKey: masterKey, random: random)
            .seal(bytes.secret, .dataKeys, row: Array(masterKey.id.utf8), revision: 0)
    }

    /// Returns the keys with new ones for sealing and authenticating rows.
    ///
    /// - Parameter forgettingSources: Whether the hash keys of sources and browsers are also new.
    func replaced(forgettingSources: Bool, random: any RandomSource) throws -> DataKeys {
        var keys = try SymmetricKey.parts(of: bytes.secret, count: Self.count)
        for place in forgettingSources ? [0, 1, 3, 5] : [0, 1] { keys[place] = SymmetricKey(random.secret(32)) }
        return try DataKeys(SymmetricKey.joined(keys))
    }

    /// Opens the keys of a store. For an empty store, the transaction that inserts the row about the platform creates
    /// them first.
    ///
    /// - Parameters:
    ///   - store: The store, without verification of its rows.
    ///   - masterKeys: The master keys of the caller, of which an empty store takes the first one.
    /// - Throws: ``PlatformError`` as ``init(_:tenant:masterKeys:)`` does, with `storeFailed`, and with `alteredRow`
    ///   when another program has removed the row about the platform.
    static func open(
        _ store: Store, tenant: String, masterKeys: [MasterKey], random: any RandomSource, now: Timestamp
    ) async throws -> DataKeys {
        try await PlatformError.mapping {
            if let state = try await store.read({ try $0.platformState() }) {
                return try DataKeys(state, tenant: tenant, masterKeys: masterKeys)
            }
            guard let masterKey = masterKeys.first else { throw PlatformError(.wrongMasterKey) }
            let keys = try DataKeys(random: random)
            let row = PlatformStateRecord(
                tenant: tenant, createdAt: now, masterKeyID: masterKey.id,
                dataKeys: try keys.wrapped(by: masterKey, tenant: tenant, random: random))
            let authenticator = RowAuthenticator(tenant: tenant, keys: keys)
            let state = try await store.write { store in
                // Another process was faster.
                if let state = try store.platformState() { return state }
                // The row determines what is suspended. A store that was used before has lost it to another program.
                guard try store.isEmpty else { throw PlatformError(.alteredRow) }
                try requireWritten(store.checking(authenticator).insert(row))
                return try store.currentState()
            }
            return try DataKeys(state, tenant: tenant, masterKeys: masterKeys)
        }
    }
}

extension StoreReader {
    /// Whether the store contains no row of a platform: no key, user, device, request, event or audit log entry.
    fileprivate var isEmpty: Bool {
        get throws {
            let tables = [
                "platform_key", "key_statement", "api_key", "account", "account_risk", "account_notice", "device",
                "activation_session",
                "challenge", "approval", "event", "audit", "audit_tree", "audit_checkpoint", "audit_tally",
            ]
            return try tables.allSatisfy { table in
                let hasRows: Int64? = try value("SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT 1) AS rows")
                return hasRows == 0
            }
        }
    }
}
