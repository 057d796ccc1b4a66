internal import Primitives

extension PlatformStateRecord: StoredRecord {
    // The table has one row.
    static let table = Table<PlatformStateRecord>(
        versioned: "platform_state",
        key: [.init("id") { _ in 1 }],
        columns: [
            .init("tenant", \.tenant),
            .init("created_at", \.createdAt),
            .init("restored_at", \.restoredAt),
            .init("epoch", \.epoch),
            .init("restored_sequence", \.restoredSequence),
            .init("suspended_below", \.suspendedBelow),
            .init("suspended_below_before", \.suspendedBelowBefore),
            .init("master_key_id", \.masterKeyID),
            .init("data_keys", \.dataKeys),
            .init("audit_size", \.auditSize),
            .init("audit_pruned_size", \.prunedAudit?.size),
            .init("audit_pruned_peaks") { $0.prunedAudit?.peaks.flatMap(\.self) },
            .init("audit_pruned_has_rows", \.prunedAudit?.hasRows),
            .init("revoked_count", \.revocations.count),
            .init("revoked_sum", \.revocations.sum),
            .init("policy_hash", \.policyHash),
        ], isAuthenticated: true)

    init(row: StoredRow) throws {
        self.init(
            tenant: try row["tenant"], createdAt: try row["created_at"], masterKeyID: try row["master_key_id"],
            dataKeys: try row["data_keys"], restoredAt: try row["restored_at"], epoch: try row["epoch"],
            restoredSequence: try row["restored_sequence"],
            suspendedBelow: try row["suspended_below"], suspendedBelowBefore: try row["suspended_below_before"],
            version: try row["version"])
        auditSize = try row["audit_size"]
        revocations = RevocationSum(count: try row["revoked_count"], sum: try row["revoked_sum"])
        policyHash = try row["policy_hash"]
        if let size: Int64 = try row["audit_pruned_size"] {
            prunedAudit = PrunedAudit(
                size: size, peaks: Hashes.split(try row["audit_pruned_peaks"]),
                hasRows: try row["audit_pruned_has_rows"])
        }
    }
}

extension PlatformKeyRecord: StoredRecord {
    static let table = Table<PlatformKeyRecord>(
        versioned: "platform_key",
        key: [.init("id", \.id)],
        columns: [
            .init("purpose", \.purpose),
            .init("algorithm", \.algorithm),
            .init("public_key", \.publicKey),
            .init("private_key", \.privateKey),
            .init("created_at", \.createdAt),
            .init("not_before", \.notBefore),
            .init("retired_at", \.retiredAt),
            .init("not_after", \.notAfter),
            .init("replaced_in", \.replacedIn),
        ], isAuthenticated: true)

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], purpose: try row["purpose"], algorithm: try row["algorithm"],
            publicKey: try row["public_key"], privateKey: try row["private_key"], createdAt: try row["created_at"],
            notBefore: try row["not_before"], version: try row["version"])
        retiredAt = try row["retired_at"]
        notAfter = try row["not_after"]
        replacedIn = try row["replaced_in"]
    }
}

extension KeyStatementRecord: StoredRecord {
    static let table = Table<KeyStatementRecord>(
        "key_statement",
        key: [.init("sequence", \.sequence)],
        columns: [
            .init("statement", \.statement),
            .init("created_at", \.createdAt),
        ])

    init(row: StoredRow) throws {
        self.init(
            sequence: try row["sequence"], statement: try row["statement"], createdAt: try row["created_at"])
    }
}

extension APIKeyRecord: StoredRecord {
    static let table = Table<APIKeyRecord>(
        versioned: "api_key",
        key: [.init("id", \.id)],
        columns: [
            .init("name", \.name),
            .init("scope", \.scope),
            .init("secret_hash", \.secretHash),
            .init("created_at", \.createdAt),
            .init("revoked_at", \.revokedAt),
            .init("epoch", \.epoch),
            .init("shows_numbers", \.showsNumbers),
            .init("domains") { Words($0.domains) },
        ], isAuthenticated: true)

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], name: try row["name"], scope: try row["scope"], secretHash: try row["secret_hash"],
            createdAt: try row["created_at"], revokedAt: try row["revoked_at"], epoch: try row["epoch"],
            showsNumbers: try row["shows_numbers"], domains: (try row["domains"] as Words).values,
            version: try row["version"])
    }
}

extension StoreReader {
    /// Returns the one row about the platform itself; nil in a new store.
    package func platformState() throws -> PlatformStateRecord? { try record() }

    /// Returns all keys of the platform, the oldest first, ties by id.
    package func platformKeys() throws -> [PlatformKeyRecord] {
        // Without one of its keys the platform would go on with others: an altered row ends the read.
        try records("ORDER BY created_at, id", refusing: true)
    }

    /// Returns the number of inserts and updates of keys of the platform: ``PlatformKeys/stateNumber`` of its rows.
    func platformKeysNumber() throws -> Int64 {
        // The sum of PostgreSQL is of another type.
        try value("SELECT count(*) + CAST(coalesce(sum(version), 0) AS BIGINT) FROM platform_key") ?? 0
    }

    /// Returns the key statements with a higher number, in ascending order.
    ///
    /// - Parameter sequence: The number before the first statement to return; 0 for all.
    package func keyStatements(after sequence: UInt64) throws -> [KeyStatementRecord] {
        try records("WHERE sequence > $1 ORDER BY sequence", [sequence])
    }

    /// Returns the API key of an id, revoked ones included.
    package func apiKey(_ id: String) throws -> APIKeyRecord? { try record("WHERE id = $1", [id]) }

    /// Returns all API keys, revoked ones included, the oldest first, ties by id.
    package func apiKeys() throws -> [APIKeyRecord] { try records("ORDER BY created_at, id") }
}

extension StoreTransaction {
    /// Stores a key statement. Returns false if there is one with its number.
    package func insert(_ record: KeyStatementRecord) throws -> Bool { try insertRow(record) }

    /// Stores an API key. Returns false if the id is taken.
    package func insert(_ record: APIKeyRecord) throws -> Bool { try insertRow(record) }
}
