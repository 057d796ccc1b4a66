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

extension ThrottleKey {
    fileprivate static var condition: String { "WHERE account = $1 AND kind = $2 AND source = $3" }
    fileprivate var values: Parameters { [account, kind, source] }
}

extension StoreReader {
    /// Returns one count of failures.
    package func throttle(_ key: ThrottleKey) throws -> ThrottleRecord? {
        try record(ThrottleKey.condition, key.values)
    }

    /// Returns all counts of failures of an account, the least recently used first, ties by kind and source.
    ///
    /// - Parameter account: `user@domain`, normalized.
    package func throttles(of account: String) throws -> [ThrottleRecord] {
        try records("WHERE account = $1 ORDER BY used_at, kind, source", [account])
    }
}

extension StoreTransaction {
    /// Deletes a count of failures.
    package func removeThrottle(_ key: ThrottleKey) throws {
        try run("DELETE FROM throttle \(ThrottleKey.condition)", key.values)
    }

    /// Deletes counts of failures of sources that are idle: `usedAt <= time`, without a failure, a level, a block, or an
    /// unreported failure. They only remember a source. The common count of a kind, and the one over all sources, stay
    /// while their account exists.
    ///
    /// - Parameters:
    ///   - time: The latest `usedAt`.
    ///   - limit: The maximum number of counts to delete.
    /// - Returns: The number of counts that were deleted.
    package func removeIdleThrottles(until time: Timestamp, limit: Int) throws -> Int {
        // SQLite would walk over the primary key.
        let index = session.dialect == .sqlite ? "INDEXED BY throttle_by_used_at" : ""
        return try run(
            """
            DELETE FROM throttle WHERE (account, kind, source) IN (
                SELECT account, kind, source FROM throttle \(index)
                WHERE \(Schema.isIdleSource) AND used_at <= $1 LIMIT $2)
            """, [time, max(0, limit)])
    }
}
