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
        ])

    init(row: StoredRow) throws {
        self.init(
            name: try row["name"], createdAt: try row["created_at"], registrationID: try row["registration_id"],
            activatedAt: try row["activated_at"], finishedAt: try row["finished_at"],
            staticPassword: try row["static_password"], registrationEpoch: try row["registration_epoch"],
            staticPasswordEpoch: try row["static_password_epoch"], subject: try row["subject"],
            version: try row["version"])
    }
}

extension StoreReader {
    /// Returns an account.
    ///
    /// - Parameter name: `user@domain`, normalized.
    package func account(_ name: String) throws -> AccountRecord? { try record("WHERE name = $1", [name]) }

    /// Returns the account that a subject of the audit log stands for; nil if there is none.
    ///
    /// - Parameter subject: ``AccountRecord/subject``, 16 bytes.
    package func account(ofSubject subject: [UInt8]) throws -> AccountRecord? {
        try record("WHERE subject = $1", [subject])
    }

    /// Returns accounts in the order of the UTF-8 of their names, for walks over all of them.
    ///
    /// - Parameters:
    ///   - name: The name before the first account to return; nil for the start.
    ///   - limit: The maximum number of accounts to return, 1 or more.
    package func accounts(after name: String?, limit: Int) throws -> [AccountRecord] {
        // Every name comes after the empty one.
        try records("WHERE name > $1 ORDER BY name LIMIT $2", [name ?? "", max(0, limit)])
    }
}

extension StoreTransaction {
    /// Stores an account. Returns false if the name is taken.
    package func insert(_ record: AccountRecord) throws -> Bool { try insertRow(record) }

    /// Deletes an account with its activation password, its challenges, its unlock codes, its counts of failures
    /// and of entries, its risk state and its notices. Its devices, approval requests and records of decisions stay.
    package func removeAccount(_ name: String) throws {
        try run("DELETE FROM activation_password WHERE account = $1", [name])
        try run("DELETE FROM throttle WHERE account = $1", [name])
        try run("DELETE FROM account_risk WHERE account = $1", [name])
        try run("DELETE FROM account_notice WHERE account = $1", [name])
        try run("DELETE FROM refusal_count WHERE account = $1", [name])
        try run("DELETE FROM challenge WHERE account = $1", [name])
        try run("DELETE FROM unlock_code WHERE account = $1", [name])
        try run("DELETE FROM account WHERE name = $1", [name])
    }
}
