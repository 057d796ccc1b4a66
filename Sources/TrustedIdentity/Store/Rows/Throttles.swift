internal import Primitives

extension ThrottleRecord: StoredRecord {
    static let table = Table<ThrottleRecord>(
        versioned: "throttle",
        key: [.init("account", \.key.account), .init("kind", \.key.kind), .init("source", \.key.source)],
        columns: [
            .init("consecutive", \.consecutive),
            .init("total", \.total),
            .init("level", \.level),
            .init("level_since", \.levelSince),
            .init("blocked_until", \.blockedUntil),
            .init("unreported", \.unreported),
            .init("used_at", \.usedAt),
        ])

    init(row: StoredRow) throws {
        let key = ThrottleKey(account: try row["account"], kind: try row["kind"], source: try row["source"])
        self.init(key: key, now: try row["used_at"])
        consecutive = try row["consecutive"]
        total = try row["total"]
        level = try row["level"]
        levelSince = try row["level_since"]
        blockedUntil = try row["blocked_until"]
        unreported = try row["unreported"]
        version = try row["version"]
    }
}

extension SQLiteTransaction {
    private static let isKey = "WHERE account = :account AND kind = :kind AND source = :source"

    private func values(_ key: ThrottleKey) -> Parameters {
        ["account": key.account, "kind": key.kind, "source": key.source]
    }

    func throttle(_ key: ThrottleKey) throws -> ThrottleRecord? { try record(Self.isKey, values(key)) }

    func throttles(of account: String) throws -> [ThrottleRecord] {
        try records("WHERE account = :account ORDER BY used_at, kind, source", ["account": account])
    }

    func insert(_ record: ThrottleRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: ThrottleRecord) throws -> Bool { try compareAndSet(record) }
    func removeThrottle(_ key: ThrottleKey) throws { try run("DELETE FROM throttle \(Self.isKey)", values(key)) }

    func removeIdleThrottles(until time: Timestamp, limit: Int) throws -> Int {
        try run(
            """
            DELETE FROM throttle WHERE (account, kind, source) IN (
                SELECT account, kind, source FROM throttle INDEXED BY throttle_by_used_at
                WHERE \(Schema.isIdleSource) AND used_at <= :time LIMIT :limit)
            """, ["time": time, "limit": max(0, limit)])
    }
}
