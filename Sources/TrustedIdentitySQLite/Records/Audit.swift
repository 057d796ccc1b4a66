internal import GRDB
internal import Primitives
internal import TrustedIdentity

extension AuditEntry: StoredRecord {
    // Entries are read with the name of the account that has their subject, and are appended without it.
    static let table = entries(of: "named_audit")
    /// The entries that the audit log does not list.
    static let unlistedTable = entries(of: "named_unlisted_audit")

    private static func entries(of name: String) -> Table<AuditEntry> {
        Table(
            name,
            key: [.init("sequence", \.sequence)],
            columns: [
                .init("time", \.time),
                .init("event", \.event),
                .init("account", \.account),
                .init("subject", \.subject),
                .init("device", \.device),
                .init("reason", \.reason),
                .init("actor", \.actor),
                .init("correlation_id", \.correlationID),
                .init("address", \.address),
                .init("decision", \.decision),
            ])
    }

    init(row: StoredRow) throws {
        self.init(
            sequence: try row["sequence"], time: try row["time"], event: try row["event"],
            account: try row["account"], subject: try row["subject"], device: try row["device"],
            reason: try row["reason"], actor: try row["actor"], correlationID: try row["correlation_id"],
            address: try row["address"], decision: try row["decision"])
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
        let values: Parameters = ["before": before ?? .max, "limit": max(0, limit)]
        let end = "sequence < :before ORDER BY sequence DESC LIMIT :limit"
        guard let account else { return try records("WHERE \(end)", values) }
        return try records(
            "WHERE subject = (SELECT subject FROM account WHERE name = :account) AND \(end)",
            values + ["account": account])
    }

    func auditEntries(from first: Int64, limit: Int) throws -> [AuditEntry] {
        try records(
            "WHERE sequence >= :first ORDER BY sequence LIMIT :limit", ["first": first, "limit": max(0, limit)])
    }

    func unlistedAuditEntries(limit: Int) throws -> [AuditEntry] {
        try records(from: AuditEntry.unlistedTable, "ORDER BY sequence DESC LIMIT :limit", ["limit": max(0, limit)])
    }

    func append(_ entry: AuditEntry) throws { try append(entry, to: "audit") }

    func appendUnlisted(_ entry: AuditEntry) throws {
        try append(entry, to: "unlisted_audit")
        let sequence = database.lastInsertedRowID
        // A deletion with each entry would make it slower than an entry of the log.
        guard sequence % 256 == 0 else { return }
        try run(
            "DELETE FROM unlisted_audit WHERE sequence <= :last",
            ["last": sequence - Int64(AuditListing.unlistedLimit)])
    }

    private func append(_ entry: AuditEntry, to table: String) throws {
        var values: Parameters = [
            "time": entry.time, "event": entry.event, "device": entry.device, "reason": entry.reason,
            "actor": entry.actor, "correlation": entry.correlationID, "address": entry.address,
            "decision": entry.decision,
        ]
        // An event without an account runs the same statement as one whose subject is known.
        if entry.subject == nil, let account = entry.account {
            values.add("account", account)
            try run(Self.append(to: table, subject: "(SELECT subject FROM account WHERE name = :account)"), values)
        } else {
            values.add("subject", entry.subject)
            try run(Self.append(to: table, subject: ":subject"), values)
        }
    }

    private static func append(to table: String, subject: String) -> String {
        // SQLite gives the entry the number after the highest.
        """
        INSERT INTO \(table) (time, event, subject, device, reason, actor, correlation_id, address, decision)
        VALUES (:time, :event, \(subject), :device, :reason, :actor, :correlation, :address, :decision)
        """
    }

    func countListed(_ listing: AuditListing, of name: String, hour: Timestamp) throws -> Int {
        let count: Int? = try value(
            """
            INSERT INTO audit_listing (name, listing, hour, count) VALUES (:name, :listing, :hour, 1)
            ON CONFLICT (name, listing) DO UPDATE
            SET count = CASE hour WHEN excluded.hour THEN count + 1 ELSE 1 END, hour = excluded.hour
            RETURNING count AS value
            """, ["name": name, "listing": listing, "hour": hour])
        guard let count else { throw PlatformStoreError(.other) }
        return count
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
