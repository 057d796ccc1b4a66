internal import Primitives

extension ActivationPasswordRecord: StoredRecord {
    static let table = Table<ActivationPasswordRecord>(
        versioned: "activation_password",
        key: [.init("account", \.account)],
        columns: [
            .init("registration_id", \.registrationID),
            .init("serial_number", \.serialNumber),
            .init("handle", \.handle),
            .init("secret", \.secret),
            .init("created_at", \.createdAt),
            .init("expires_at", \.expiresAt),
            .init("tries", \.tries),
            .init("spent_at", \.spentAt),
        ])

    init(row: StoredRow) throws {
        self.init(
            account: try row["account"], registrationID: try row["registration_id"],
            serialNumber: try row["serial_number"], handle: try row["handle"], secret: try row["secret"],
            createdAt: try row["created_at"], expiresAt: try row["expires_at"], tries: try row["tries"],
            spentAt: try row["spent_at"], version: try row["version"])
    }
}

extension SQLiteTransaction {
    func activationPassword(of account: String) throws -> ActivationPasswordRecord? {
        try record("WHERE account = :account", ["account": account])
    }

    func put(_ record: ActivationPasswordRecord) throws { try replaceRow(record) }
    func update(_ record: ActivationPasswordRecord) throws -> Bool { try compareAndSet(record) }

    func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) throws -> Bool {
        try run(
            """
            UPDATE activation_password SET tries = tries + 1, version = version + 1
            WHERE account = :account AND registration_id = :registration AND spent_at IS NULL AND expires_at > :now
                AND tries < :limit
            """, ["account": account, "registration": registrationID, "now": now, "limit": limit]) == 1
    }

    func returnTry(account: String, registrationID: String) throws -> Bool {
        try run(
            """
            UPDATE activation_password SET tries = tries - 1, version = version + 1
            WHERE account = :account AND registration_id = :registration AND tries > 0
            """, ["account": account, "registration": registrationID]) == 1
    }
}
