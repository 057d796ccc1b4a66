internal import Primitives
internal import TrustedIdentity

extension AuditEntry: StoredRecord {
    static let table = Table<AuditEntry>(
        "audit",
        key: [.init("sequence", \.sequence)],
        columns: [
            .init("time", \.time),
            .init("event", \.event),
            .init("account", \.account),
            .init("device", \.device),
            .init("reason", \.reason),
        ])

    init(row: StoredRow) throws {
        self.init(
            sequence: try row["sequence"], time: try row["time"], event: try row["event"],
            account: try row["account"], device: try row["device"], reason: try row["reason"])
    }
}

extension AuditTally: StoredRecord {
    static let table = Table<AuditTally>(
        "audit_tally",
        key: [.init("hour", \.hour), .init("event", \.event), .init("reason", \.reason)],
        columns: [.init("count", \.count)])

    init(row: StoredRow) throws {
        self.init(hour: try row["hour"], event: try row["event"], reason: try row["reason"], count: try row["count"])
    }
}

extension SQLiteTransaction {
    func auditEntries(of account: String?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        let values: [String: any ColumnValue] = ["before": before ?? .max, "limit": max(0, limit)]
        let end = "sequence < :before ORDER BY sequence DESC LIMIT :limit"
        guard let account else { return try records("WHERE \(end)", values) }
        return try records("WHERE account = :account AND \(end)", values.merging(["account": account]) { $1 })
    }

    func auditEntries(from first: Int64, limit: Int) throws -> [AuditEntry] {
        try records(
            "WHERE sequence >= :first ORDER BY sequence LIMIT :limit", ["first": first, "limit": max(0, limit)])
    }

    func append(_ entry: AuditEntry) throws {
        // SQLite gives the entry the number after the highest.
        try run(
            """
            INSERT INTO audit (time, event, account, device, reason) VALUES (:time, :event, :account, :device, :reason)
            """,
            [
                "time": entry.time, "event": entry.event, "account": entry.account, "device": entry.device,
                "reason": entry.reason,
            ])
    }

    func auditTallies(limit: Int) throws -> [AuditTally] {
        try records("ORDER BY hour DESC, event, reason LIMIT :limit", ["limit": max(0, limit)])
    }

    func tally(_ event: AuditEvent, reason: String, hour: Timestamp) throws {
        try run(
            """
            INSERT INTO audit_tally (hour, event, reason, count) VALUES (:hour, :event, :reason, 1)
            ON CONFLICT (hour, event, reason) DO UPDATE SET count = count + 1
            """, ["hour": hour, "event": event, "reason": reason])
    }
}
