internal import GRDB
internal import Primitives
internal import TrustedIdentity

extension AuditEntry: StoredRecord {
    // Entries are read with the name of the account that has their subject, and are appended without it.
    static let table = Table<AuditEntry>(
        "named_audit",
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

extension AuditCheckpointRecord: StoredRecord {
    static let table = Table<AuditCheckpointRecord>(
        "audit_checkpoint",
        key: [.init("size", \.size)],
        columns: [.init("created_at", \.createdAt), .init("note", \.note)])

    init(row: StoredRow) throws {
        self.init(size: try row["size"], createdAt: try row["created_at"], note: try row["note"])
    }
}

extension SQLiteTransaction {
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

    func auditRows(from first: Int64, limit: Int) throws -> [AuditRow] {
        // The whole log is read here, so that the columns are read by their positions.
        let statement = try statement(
            """
            SELECT sequence, time, event, subject, device, reason, actor, correlation_id, address, decision, subtree,
                authentication_code
            FROM audit WHERE sequence >= :first ORDER BY sequence LIMIT :limit
            """)
        var result: [AuditRow] = []
        try statement.run(["first": first, "limit": max(0, limit)]) { row in
            result.append(try AuditRow(PositionedRow(row)))
        }
        return result
    }

    func auditEdge() throws -> [AuditPeak] {
        if let peaks = try auditEnd?.edge(reading: auditSeal) { return peaks }
        let peaks = try readAuditEdge()
        auditEnd?.note(peaks)
        return peaks
    }

    private func readAuditEdge() throws -> [AuditPeak] {
        let statement = try statement(
            """
            WITH RECURSIVE edge (sequence, size) AS (
                SELECT * FROM (SELECT sequence, 1 FROM audit ORDER BY sequence DESC LIMIT 1)
                UNION ALL
                SELECT sequence - size, size * 2 FROM edge WHERE sequence & size AND (sequence - size) & (size * 2)
            )
            SELECT edge.sequence, audit.subtree, audit.authentication_code
            FROM edge LEFT JOIN audit ON audit.sequence = edge.sequence ORDER BY edge.sequence DESC
            """)
        var peaks: [AuditPeak] = []
        try statement.run([:]) { row in
            let values = PositionedRow(row)
            peaks.append(AuditPeak(sequence: try values[0], seal: try AuditSeal(values, from: 1)))
        }
        guard peaks.contains(where: { $0.seal == nil }) else { return peaks }
        // The seals of entries that were pruned are kept.
        let kept = Dictionary(try keptAuditPeaks().map { ($0.sequence, $0.seal) }) { first, _ in first }
        return peaks.map { AuditPeak(sequence: $0.sequence, seal: $0.seal ?? kept[$0.sequence] ?? nil) }
    }

    private func auditSeal(of sequence: Int64) throws -> AuditSeal? {
        let statement = try statement("SELECT subtree, authentication_code FROM audit WHERE sequence = :sequence")
        var seal: AuditSeal?
        try statement.run(["sequence": sequence]) { seal = try AuditSeal(PositionedRow($0), from: 0) }
        return try seal ?? keptAuditPeaks().first { $0.sequence == sequence }?.seal
    }

    func keptAuditPeaks() throws -> [AuditPeak] {
        let statement = try statement(
            "SELECT sequence, subtree, authentication_code FROM audit_peak ORDER BY sequence DESC")
        var peaks: [AuditPeak] = []
        try statement.run([:]) { row in
            let values = PositionedRow(row)
            peaks.append(AuditPeak(sequence: try values[0], seal: try AuditSeal(values, from: 1)))
        }
        return peaks
    }

    func keepAuditPeaks(of size: Int64) throws {
        auditEnd?.clear()
        // Each peak is the one before without its lowest bit that is set.
        let peaks = """
            WITH RECURSIVE peak (sequence) AS (
                SELECT :size UNION ALL SELECT sequence & (sequence - 1) FROM peak WHERE sequence & (sequence - 1)
            )
            """
        try run(
            """
            \(peaks)
            INSERT OR REPLACE INTO audit_peak (sequence, subtree, authentication_code)
            SELECT audit.sequence, audit.subtree, audit.authentication_code
            FROM peak JOIN audit ON audit.sequence = peak.sequence
            """, ["size": size])
        try run("\(peaks) DELETE FROM audit_peak WHERE sequence NOT IN (SELECT sequence FROM peak)", ["size": size])
    }

    func removePrunedAudit(through size: Int64, limit: Int) throws -> Int {
        auditEnd?.clear()
        return try run(
            """
            DELETE FROM audit WHERE sequence IN (
                SELECT sequence FROM audit WHERE sequence BETWEEN 1 AND :size ORDER BY sequence LIMIT :limit
            )
            """, ["size": size, "limit": max(0, limit)])
    }

    func append(_ entry: AuditEntry, seal: AuditSeal?) throws {
        // SQLite gives an entry without a number the one after the highest.
        var values: Parameters = [
            "sequence": seal == nil ? nil : entry.sequence, "time": entry.time, "event": entry.event,
            "device": entry.device, "reason": entry.reason, "actor": entry.actor, "correlation": entry.correlationID,
            "address": entry.address, "decision": entry.decision, "subtree": seal?.subtree, "code": seal?.code,
        ]
        // An event without an account runs the same statement as one whose subject is known.
        var subject = ":subject"
        if entry.subject == nil, let account = entry.account {
            values.add("account", account)
            subject = "(SELECT subject FROM account WHERE name = :account)"
        } else {
            values.add("subject", entry.subject)
        }
        try run(
            """
            INSERT INTO audit (sequence, time, event, subject, device, reason, actor, correlation_id, address,
                decision, subtree, authentication_code)
            VALUES (:sequence, :time, :event, \(subject), :device, :reason, :actor, :correlation, :address,
                :decision, :subtree, :code)
            """, values)
        if let seal { auditEnd?.append(entry.sequence, seal: seal) } else { auditEnd?.clear() }
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

extension AuditRow {
    /// Reads a row. One whose columns hold something else than the schema says was written by another program, so that
    /// it has no seal: it must not keep the others from being read.
    fileprivate init(_ row: PositionedRow) throws {
        let sequence: Int64 = try row[0]
        do {
            self.init(
                entry: AuditEntry(
                    sequence: sequence, time: try row[1], event: try row[2], subject: try row[3], device: try row[4],
                    reason: try row[5], actor: try row[6], correlationID: try row[7], address: try row[8],
                    decision: try row[9]),
                seal: try AuditSeal(row, from: 10))
        } catch let error as PlatformStoreError where error.code == .corrupt {
            let empty = AuditEntry(sequence: sequence, time: Timestamp(millisecondsSinceEpoch: 0), event: "")
            self.init(entry: empty, seal: nil)
        }
    }
}

extension AuditSeal {
    /// Reads a seal from two columns of a row; `nil` when one of them is empty.
    fileprivate init?(_ row: PositionedRow, from position: Int) throws {
        guard let subtree: [UInt8] = try row[position], let code: [UInt8] = try row[position + 1] else { return nil }
        self.init(subtree: subtree, code: code)
    }
}
