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
            .init("audit_pruned_size", \.prunedAudit?.size),
            .init("audit_pruned_peaks") { $0.prunedAudit?.peaks.flatMap(\.self) },
            .init("audit_pruned_has_rows", \.prunedAudit?.hasRows),
            .init("authentication_code", \.authenticationCode),
        ])

    init(row: StoredRow) throws {
        self.init(
            tenant: try row["tenant"], createdAt: try row["created_at"], masterKeyID: try row["master_key_id"],
            dataKeys: try row["data_keys"], restoredAt: try row["restored_at"], epoch: try row["epoch"],
            restoredSequence: try row["restored_sequence"],
            suspendedBelow: try row["suspended_below"], suspendedBelowBefore: try row["suspended_below_before"],
            version: try row["version"], authenticationCode: try row["authentication_code"])
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
            .init("authentication_code", \.authenticationCode),
        ])

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], purpose: try row["purpose"], algorithm: try row["algorithm"],
            publicKey: try row["public_key"], privateKey: try row["private_key"], createdAt: try row["created_at"],
            notBefore: try row["not_before"], version: try row["version"],
            authenticationCode: try row["authentication_code"])
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
            .init("authentication_code", \.authenticationCode),
        ])

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], name: try row["name"], scope: try row["scope"], secretHash: try row["secret_hash"],
            createdAt: try row["created_at"], revokedAt: try row["revoked_at"], epoch: try row["epoch"],
            showsNumbers: try row["shows_numbers"], domains: (try row["domains"] as Words).values,
            version: try row["version"], authenticationCode: try row["authentication_code"])
    }
}

extension SQLiteTransaction {
    func platformState() throws -> PlatformStateRecord? { try record() }
    func insert(_ record: PlatformStateRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: PlatformStateRecord) throws -> Bool { try compareAndSet(record) }

    func platformKeys() throws -> [PlatformKeyRecord] { try records("ORDER BY created_at, id") }
    func insert(_ record: PlatformKeyRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: PlatformKeyRecord) throws -> Bool { try compareAndSet(record) }

    func keyStatements(after sequence: UInt64) throws -> [KeyStatementRecord] {
        try records("WHERE sequence > :sequence ORDER BY sequence", ["sequence": sequence])
    }
    func insert(_ record: KeyStatementRecord) throws -> Bool { try insertRow(record) }

    func apiKey(_ id: String) throws -> APIKeyRecord? { try record("WHERE id = :id", ["id": id]) }
    func apiKeys() throws -> [APIKeyRecord] { try records("ORDER BY created_at, id") }
    func insert(_ record: APIKeyRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: APIKeyRecord) throws -> Bool { try compareAndSet(record) }
}
