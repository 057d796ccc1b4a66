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

extension StoreReader {
    /// Returns the row about the tree of the audit log; nil before the first entry got its place.
    package func auditTree() throws -> AuditTreeRecord? { try record() }

    /// Returns checkpoints of the audit log that are kept, the one with the most entries first.
    ///
    /// - Parameters:
    ///   - size: Only checkpoints of fewer entries; nil for all.
    ///   - limit: The maximum number of checkpoints to return, 1 or more.
    package func auditCheckpoints(before size: Int64?, limit: Int) throws -> [AuditCheckpointRecord] {
        try records(
            "WHERE size < $1 ORDER BY size DESC LIMIT $2", [size ?? .max, max(0, limit)])
    }

    /// Returns the number of the last entry of the audit log; 0 for none. No other column is read: it may be damaged.
    package func lastAuditNumber() throws -> Int64 {
        try value("SELECT coalesce(max(sequence), 0) FROM audit") ?? 0
    }

    /// Returns the number of entries of the audit log, or of events, without a sequence number, and the time of the
    /// earliest. SQLite appends each row with its number and has none.
    ///
    /// - Parameter table: The name of the table.
    func arrivals(in table: String) throws -> (count: Int64, since: Timestamp?) {
        guard session.dialect == .postgreSQL else { return (0, nil) }
        let found = try rows("SELECT count(*), min(time) FROM \(table) WHERE sequence IS NULL", []) { row in
            let row = PositionedRow(row)
            return (try row[0] as Int64, try row[1] as Timestamp?)
        }
        return found.first ?? (0, nil)
    }

    /// Returns entries of the audit log, the latest first. Each has the name of the account that has its subject, if
    /// there is one.
    ///
    /// - Parameters:
    ///   - account: Only entries with the subject of this account; nil for all.
    ///   - before: Only entries with a lower sequence number; nil for the latest.
    ///   - limit: The maximum number of entries to return, 1 or more.
    package func auditEntries(of account: String?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        let values: Parameters = [before ?? .max, max(0, limit)]
        let end = "sequence < $1 ORDER BY sequence DESC LIMIT $2"
        guard let account else { return try records("WHERE \(end)", values) }
        return try records(
            "WHERE subject = (SELECT subject FROM account WHERE name = $3) AND \(end)",
            values + [account])
    }

    /// Returns entries of the audit log, the earliest first, for walks over all of them. Each has the name of the
    /// account that has its subject, if there is one.
    ///
    /// - Parameters:
    ///   - first: The lowest sequence number to return.
    ///   - limit: The maximum number of entries to return, 1 or more.
    package func auditEntries(from first: Int64, limit: Int) throws -> [AuditEntry] {
        try records(
            "WHERE sequence >= $1 ORDER BY sequence LIMIT $2", [first, max(0, limit)])
    }

    /// Returns entries of the audit log without names of accounts, the earliest first, for the tree of the log. An entry
    /// with a number below 1, which only another program writes, is returned, too.
    ///
    /// - Parameters:
    ///   - first: The lowest sequence number to return.
    ///   - limit: The maximum number of entries to return, 1 or more.
    package func auditRows(from first: Int64, limit: Int) throws -> [AuditEntry] {
        // The whole log is read here, so the columns are read by their positions.
        try rows(
            """
            SELECT sequence, id, time, event, subject, device, reason, actor, correlation_id, address, decision
            FROM audit WHERE sequence >= $1 ORDER BY sequence LIMIT $2
            """, [first, max(0, limit)]
        ) { row in try AuditEntry(PositionedRow(row)) }
    }

    /// Returns the tallies of events that strangers can cause, the latest hour first, ties by event and reason.
    ///
    /// - Parameter limit: The maximum number of tallies to return, 1 or more.
    package func auditTallies(limit: Int) throws -> [AuditTally] {
        try records("ORDER BY hour DESC, event, reason LIMIT $1", [max(0, limit)])
    }
}

extension StoreTransaction {
    /// Stores the row about the tree of the audit log, which replaces the previous one.
    package func put(_ record: AuditTreeRecord) throws { try replaceRow(record) }

    /// Stores a checkpoint of the audit log. Returns false if there is one of this number of entries.
    package func insert(_ record: AuditCheckpointRecord) throws -> Bool { try insertRow(record) }

    /// Deletes entries of the pruned part of the audit log, the earliest first. A store refuses the
    /// deletion of every other entry, whatever the caller asks for.
    ///
    /// - Parameters:
    ///   - size: The size of the pruned part, as the row about the platform has it:
    ///     ``PlatformStateRecord/prunedAudit``.
    ///   - limit: The maximum number of entries to delete.
    /// - Returns: The number of entries that were deleted. Entries with a number below 1 stay.
    /// - Throws: ``StoreError`` when an entry is not pruned; then nothing is deleted.
    package func removePrunedAudit(through size: Int64, limit: Int) throws -> Int {
        return try run(
            """
            DELETE FROM audit WHERE sequence IN (
                SELECT sequence FROM audit WHERE sequence BETWEEN 1 AND $1 ORDER BY sequence LIMIT $2
            )
            """, [size, max(0, limit)])
    }

    /// Appends an entry to the audit log.
    ///
    /// The store does not keep the name of the account. It keeps the entry's subject; without one, the subject of the
    /// account that the entry names, which the same statement reads. The store of an open platform adds the origin and
    /// an id, and records the event that the entry is for application servers. A notice for the devices of the account
    /// follows from the entry, too.
    ///
    /// - Parameter entry: The entry. Its own number is ignored: SQLite gives it the next one, from 1. On PostgreSQL it
    ///   has none until ``numberArrivals(limit:)``.
    package func append(_ entry: AuditEntry) throws {
        var entry = entry
        if let random {
            entry = entry.caused(by: origin)
            entry.id = random.bytes(16)
        }
        if !entry.id.isEmpty { session.note(entry: entry.id) }
        // An event without an account runs the same statement as one whose subject is known.
        let isNamed = entry.subject == nil && entry.account != nil
        var values: Parameters = [
            entry.id, entry.time, entry.event, entry.device, entry.reason, entry.actor, entry.correlationID,
            entry.address, entry.decision,
        ]
        if isNamed { values.add(entry.account) } else { values.add(entry.subject) }
        let subject = isNamed ? "(SELECT subject FROM account WHERE name = $10)" : "$10"
        // SQLite gives an entry the number after the highest. On PostgreSQL, transactions of several processes run at
        // the same time: the next number would make each wait for the end of the one before.
        try run(
            """
            INSERT INTO audit (id, time, event, subject, device, reason, actor, correlation_id, address, decision)
            VALUES ($1, $2, $3, \(subject), $4, $5, $6, $7, $8, $9)
            """, values)
        if let notice = AccountNoticeRecord(entry) { try append(notice) }
        if outbox != nil, let event = PlatformEvent(entry) { try append(EventRecord(event: event)) }
    }

    /// Gives the entries of the audit log without a number the next ones, in the order of their arrival. SQLite has no
    /// such entry. Call ``excludeMaintenance()`` before: only one transaction at a time may do so.
    ///
    /// The next number is one above the highest, which may be the number of a pruned entry.
    ///
    /// - Parameter limit: The maximum number of entries.
    /// - Returns: The number of entries that were numbered.
    func numberArrivals(limit: Int) throws -> Int {
        guard session.dialect == .postgreSQL else { return 0 }
        return try run(
            """
            WITH waiting AS (
                SELECT arrival, row_number() OVER (ORDER BY arrival) AS place
                FROM audit WHERE sequence IS NULL ORDER BY arrival LIMIT $1
            ), latest AS (
                SELECT greatest(
                    (SELECT coalesce(max(sequence), 0) FROM audit),
                    (SELECT coalesce(max(audit_pruned_size), 0) FROM platform_state)) AS number
            )
            UPDATE audit SET sequence = latest.number + waiting.place FROM waiting, latest
            WHERE audit.arrival = waiting.arrival
            """, [max(0, limit)])
    }

    /// Counts a refusal of an account and returns the number of its refusals in an hour. The count of another hour starts
    /// at 1. There is one row for each name, and no account needs to have the name. The row of an account stays until the
    /// account is removed.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized, or another name.
    ///   - hour: The beginning of the hour.
    package func countRefusal(of account: String, hour: Timestamp) throws -> Int {
        let count: Int? = try value(
            """
            INSERT INTO refusal_count (account, hour, count) VALUES ($1, $2, 1)
            ON CONFLICT (account) DO UPDATE
            SET count = CASE refusal_count.hour WHEN excluded.hour THEN refusal_count.count + 1 ELSE 1 END,
                hour = excluded.hour
            RETURNING count
            """, [account, hour])
        guard let count else { throw StoreError(.other) }
        return count
    }

    /// Adds one to the tally of an hour, an event and a reason. The first call creates it.
    package func tally(_ event: AuditEvent, reason: String, hour: Timestamp) throws {
        try run(
            """
            INSERT INTO audit_tally (hour, event, reason, count) VALUES ($1, $2, $3, 1)
            ON CONFLICT (hour, event, reason) DO UPDATE SET count = audit_tally.count + 1
            """, [hour, event, reason])
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
        } catch let error as StoreError where error.code == .corrupt {
            self.init(sequence: sequence, time: Timestamp(millisecondsSinceEpoch: 0), event: "")
        }
    }
}
