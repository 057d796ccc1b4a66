extension AccountRiskRecord: StoredRecord {
    static let table = Table<AccountRiskRecord>(
        versioned: "account_risk",
        key: [.init("account", \.account)],
        columns: [
            .init("state", \.state),
            .init("authentication_code", \.authenticationCode),
        ])

    init(row: StoredRow) throws {
        self.init(
            account: try row["account"], state: try row["state"], version: try row["version"],
            authenticationCode: try row["authentication_code"])
    }
}

extension PolicyDecisionRecord: StoredRecord {
    static let table = Table<PolicyDecisionRecord>(
        "policy_decision",
        key: [.init("id", \.id)],
        columns: [
            .init("account", \.account),
            .init("created_at", \.createdAt),
            .init("record", \.record),
            .init("kept_until", \.keptUntil),
        ])

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], account: try row["account"], createdAt: try row["created_at"],
            record: try row["record"], keptUntil: try row["kept_until"])
    }
}

extension SQLiteTransaction {
    func accountRisk(_ account: String) throws -> AccountRiskRecord? {
        try record("WHERE account = :account", ["account": account])
    }

    func accountRisks(after name: String?, limit: Int) throws -> [AccountRiskRecord] {
        // Every name comes after the empty one.
        try records(
            "WHERE account > :account ORDER BY account LIMIT :limit", ["account": name ?? "", "limit": max(0, limit)])
    }

    func insert(_ record: AccountRiskRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: AccountRiskRecord) throws -> Bool { try compareAndSet(record) }

    func policyDecision(_ id: [UInt8]) throws -> PolicyDecisionRecord? { try record("WHERE id = :id", ["id": id]) }

    func policyDecisions(of account: String, limit: Int) throws -> [PolicyDecisionRecord] {
        try records(
            "WHERE account = :account ORDER BY created_at DESC, id DESC LIMIT :limit",
            ["account": account, "limit": max(0, limit)])
    }

    func removePolicyDecisions(of account: String, limit: Int) throws -> Int {
        try run(
            """
            DELETE FROM policy_decision WHERE id IN (SELECT id FROM policy_decision WHERE account = :account
            ORDER BY created_at DESC, id DESC LIMIT :limit)
            """, ["account": account, "limit": max(0, limit)])
    }

    func insert(_ record: PolicyDecisionRecord) throws -> Bool { try insertRow(record) }
}
