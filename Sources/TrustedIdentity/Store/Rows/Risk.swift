extension AccountRiskRecord: StoredRecord {
    static let table = Table<AccountRiskRecord>(
        versioned: "account_risk",
        key: [.init("account", \.account)],
        columns: [
            .init("state", \.state)
        ])

    init(row: StoredRow) throws {
        self.init(
            account: try row["account"], state: try row["state"], version: try row["version"])
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

extension StoreReader {
    /// Returns the risk state of an account; nil if there is none.
    ///
    /// - Parameter account: `user@domain`, normalized.
    package func accountRisk(_ account: String) throws -> AccountRiskRecord? {
        try record("WHERE account = $1", [account])
    }

    /// Returns the record of a decision of the policy.
    ///
    /// - Parameter id: The id, 16 bytes.
    package func policyDecision(_ id: [UInt8]) throws -> PolicyDecisionRecord? { try record("WHERE id = $1", [id]) }

    /// Returns records of decisions about an account, the latest first, ties by id in descending order.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized.
    ///   - limit: The maximum number of records to return, 1 or more.
    package func policyDecisions(of account: String, limit: Int) throws -> [PolicyDecisionRecord] {
        try records(
            "WHERE account = $1 ORDER BY created_at DESC, id DESC LIMIT $2",
            [account, max(0, limit)])
    }
}

extension StoreTransaction {
    /// Deletes records of decisions about an account.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized.
    ///   - limit: The maximum number of records to delete.
    /// - Returns: The number of records that were deleted.
    package func removePolicyDecisions(of account: String, limit: Int) throws -> Int {
        try run(
            """
            DELETE FROM policy_decision WHERE id IN (SELECT id FROM policy_decision WHERE account = $1
            ORDER BY created_at DESC, id DESC LIMIT $2)
            """, [account, max(0, limit)])
    }

    /// Stores the record of a decision. Returns false if the id is taken.
    package func insert(_ record: PolicyDecisionRecord) throws -> Bool { try insertRow(record) }
}
