internal import Primitives

extension ChallengeRecord: StoredRecord {
    static let table = Table<ChallengeRecord>(
        versioned: "challenge",
        key: [.init("id", \.id)],
        columns: [
            .init("account", \.account),
            .init("principal", \.principal),
            .init("challenge", \.challenge),
            .init("expires_at", \.expiresAt),
            .init("used_at", \.usedAt),
            .init("authentication_code", \.authenticationCode),
        ])

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], account: try row["account"], principal: try row["principal"],
            challenge: try row["challenge"], expiresAt: try row["expires_at"], usedAt: try row["used_at"],
            version: try row["version"], authenticationCode: try row["authentication_code"])
    }
}

extension SQLiteTransaction {
    func challenge(_ id: [UInt8]) throws -> ChallengeRecord? { try record("WHERE id = :id", ["id": id]) }

    func challenges(after id: [UInt8]?, limit: Int) throws -> [ChallengeRecord] {
        // Every id comes after the empty one.
        try records("WHERE id > :id ORDER BY id LIMIT :limit", ["id": id ?? [], "limit": max(0, limit)])
    }

    func insert(_ record: ChallengeRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: ChallengeRecord) throws -> Bool { try compareAndSet(record) }

    func removeOldestChallenges(of account: String, keeping limit: Int) throws {
        try run(
            """
            DELETE FROM challenge WHERE id IN (SELECT id FROM challenge WHERE account = :account
            ORDER BY expires_at DESC, id LIMIT -1 OFFSET :limit)
            """, ["account": account, "limit": max(0, limit)])
    }
}
