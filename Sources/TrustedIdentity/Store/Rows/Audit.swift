internal import Primitives

extension AuditEntry: StoredRecord {
    // Entries are read with the name of the account that has their subject, and are appended without it.
    static let table = Table<AuditEntry>(
        "named_audit",
        key: [.init("sequence", \.sequence)],
        columns: [
            .init("id", \.id),
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

    init(row: StoredRow) throws {
        self.init(
            sequence: try row["sequence"], id: try row["id"], time: try row["time"], event: try row["event"],
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

extension AuditCheckpointRecord: StoredRecord {
    static let table = Table<AuditCheckpointRecord>(
        "audit_checkpoint",
        key: [.init("size", \.size)],
        columns: [.init("created_at", \.createdAt), .init("note", \.note)])

    init(row: StoredRow) throws {
        self.init(size: try row["size"], createdAt: try row["created_at"], note: try row["note"])
    }
}

extension AuditTreeRecord: StoredRecord {
    // The table has one row.
    static let table = Table<AuditTreeRecord>(
        "audit_tree",
        key: [.init("id") { _ in 1 }],
        columns: [
            .init("size", \.size), .init("peaks") { $0.peaks.flatMap(\.self) }, .init("note", \.note),
        ])

    init(row: StoredRow) throws {
        self.init(size: try row["size"], peaks: Hashes.split(try row["peaks"]), note: try row["note"])
    }
}

/// Hashes in one column.
enum Hashes {
    /// Returns the hashes of 32 bytes that follow one another.
    static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 32).map { Array(bytes[$0...].prefix(32)) }
    }
}

extension SQLiteTransaction {
    func auditTree() throws -> AuditTreeRecord? { try record() }
    func put(_ record: AuditTreeRecord) throws { try replaceRow(record) }

    func auditCheckpoints(before size: Int64?, limit: Int) throws -> [AuditCheckpointRecord] {
        try records(
            "WHERE size < :size ORDER BY size DESC LIMIT :limit", ["size": size ?? .max, "limit": max(0, limit)])
    }

    func insert(_ record: AuditCheckpointRecord) throws -> Bool { try insertRow(record) }

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

    func auditRows(from first: Int64, limit: Int) throws -> [AuditEntry] {
        // The whole log is read here, so the columns are read by their positions.
        let statement = try statement(
            """
            SELECT sequence, id, time, event, subject, device, reason, actor, correlation_id, address, decision
            FROM audit WHERE sequence >= :first ORDER BY sequence LIMIT :limit
            """)
        var result: [AuditEntry] = []
        try statement.run(["first": first, "limit": max(0, limit)]) { row in
            result.append(try AuditEntry(PositionedRow(row)))
        }
        return result
    }

    func removePrunedAudit(through size: Int64, limit: Int) throws -> Int {
        return try run(
            """
            DELETE FROM audit WHERE sequence IN (
                SELECT sequence FROM audit WHERE sequence BETWEEN 1 AND :size ORDER BY sequence LIMIT :limit
            )
            """, ["size": size, "limit": max(0, limit)])
    }

    func append(_ entry: AuditEntry) throws {
        var values: Parameters = [
            "id": entry.id, "time": entry.time, "event": entry.event, "device": entry.device, "reason": entry.reason,
            "actor": entry.actor, "correlation": entry.correlationID, "address": entry.address,
            "decision": entry.decision,
        ]
        // An event without an account runs the same statement as one whose subject is known.
        var subject = ":subject"
        if entry.subject == nil, let account = entry.account {
            values.add("account", account)
            subject = "(SELECT subject FROM account WHERE name = :account)"
        } else {
            values.add("subject", entry.subject)
        }
        // SQLite gives an entry the number after the highest.
        try run(
            """
            INSERT INTO audit (id, time, event, subject, device, reason, actor, correlation_id, address, decision)
            VALUES (:id, :time, :event, \(subject), :device, :reason, :actor, :correlation, :address, :decision)
            """, values)
    }

    func countRefusal(of account: String, hour: Timestamp) throws -> Int {
        let count: Int? = try value(
            """
            INSERT INTO refusal_count (account, hour, count) VALUES (:account, :hour, 1)
            ON CONFLICT (account) DO UPDATE
            SET count = CASE hour WHEN excluded.hour THEN count + 1 ELSE 1 END, hour = excluded.hour
            RETURNING count AS value
            """, ["account": account, "hour": hour])
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

extension AuditEntry {
    /// Reads a row. One whose columns hold something else than the schema says was written by another program. It must
    /// not keep the others from being read, and is empty.
    fileprivate init(_ row: PositionedRow) throws {
        let sequence: Int64 = try row[0]
        do {
            self.init(
                sequence: sequence, id: try row[1], time: try row[2], event: try row[3], subject: try row[4],
                device: try row[5], reason: try row[6], actor: try row[7], correlationID: try row[8],
                address: try row[9], decision: try row[10])
        } catch let error as PlatformStoreError where error.code == .corrupt {
            self.init(sequence: sequence, time: Timestamp(millisecondsSinceEpoch: 0), event: "")
        }
    }
}
