internal import Primitives

extension AccountRecord: StoredRecord {
    static let table = Table<AccountRecord>(
        versioned: "account",
        key: [.init("name", \.name)],
        columns: [
            .init("created_at", \.createdAt),
            .init("registration_id", \.registrationID),
            .init("activated_at", \.activatedAt),
            .init("finished_at", \.finishedAt),
            .init("static_password", \.staticPassword),
            .init("registration_epoch", \.registrationEpoch),
            .init("static_password_epoch", \.staticPasswordEpoch),
            .init("subject", \.subject),
            .init("authentication_code", \.authenticationCode),
        ])

    init(row: StoredRow) throws {
        self.init(
            name: try row["name"], createdAt: try row["created_at"], registrationID: try row["registration_id"],
            activatedAt: try row["activated_at"], finishedAt: try row["finished_at"],
            staticPassword: try row["static_password"], registrationEpoch: try row["registration_epoch"],
            staticPasswordEpoch: try row["static_password_epoch"], subject: try row["subject"],
            version: try row["version"], authenticationCode: try row["authentication_code"])
    }
}

extension SQLiteTransaction {
    func account(_ name: String) throws -> AccountRecord? { try record("WHERE name = :name", ["name": name]) }

    func account(ofSubject subject: [UInt8]) throws -> AccountRecord? {
        try record("WHERE subject = :subject", ["subject": subject])
    }

    func accounts(after name: String?, limit: Int) throws -> [AccountRecord] {
        // Every name comes after the empty one.
        try records("WHERE name > :name ORDER BY name LIMIT :limit", ["name": name ?? "", "limit": max(0, limit)])
    }

    func insert(_ record: AccountRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: AccountRecord) throws -> Bool { try compareAndSet(record) }

    func removeAccount(_ name: String) throws {
        try run("DELETE FROM activation_password WHERE account = :name", ["name": name])
        try run("DELETE FROM throttle WHERE account = :name", ["name": name])
        try run("DELETE FROM account_risk WHERE account = :name", ["name": name])
        try run("DELETE FROM refusal_count WHERE account = :name", ["name": name])
        try run("DELETE FROM challenge WHERE account = :name", ["name": name])
        try run("DELETE FROM account WHERE name = :name", ["name": name])
    }
}
