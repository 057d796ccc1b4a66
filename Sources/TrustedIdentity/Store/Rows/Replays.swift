internal import Primitives

extension ReplayRecord: StoredRecord {
    static let table = Table<ReplayRecord>(
        "replay",
        key: [.init("device", \.device), .init("request", \.request)],
        columns: [
            .init("request_hash", \.requestHash),
            .init("answer", \.answer),
            .init("kept_until", \.keptUntil),
            .init("refusal", \.refusal?.code),
            .init("retry_after") { $0.refusal?.retryAfter },
        ])

    init(row: StoredRow) throws {
        let refusal: UInt64? = try row["refusal"]
        let retryAfter: UInt64? = try row["retry_after"]
        self.init(
            device: try row["device"], request: try row["request"], requestHash: try row["request_hash"],
            answer: try row["answer"], refusal: refusal.map { Refusal(code: $0, retryAfter: retryAfter) },
            keptUntil: try row["kept_until"])
    }
}

extension SQLiteTransaction {
    func replay(device: [UInt8], request: [UInt8]) throws -> ReplayRecord? {
        try record("WHERE device = :device AND request = :request", ["device": device, "request": request])
    }

    func refusalCount(of device: [UInt8], after time: Timestamp) throws -> Int {
        try value(
            """
            SELECT count(*) FROM replay
            WHERE device = :device AND \(Schema.isRefusal) AND kept_until > :time
            """, ["device": device, "time": time]) ?? 0
    }

    func insert(_ record: ReplayRecord) throws -> Bool { try insertRow(record) }

    func removeRefusals(of device: [UInt8]) throws {
        try run("DELETE FROM replay WHERE device = :device AND \(Schema.isRefusal)", ["device": device])
    }

    // Each condition has an index of its own; see `Schema`.
    func removeExpired(now: Timestamp, limit: Int) throws -> Int {
        let statements = [
            """
            DELETE FROM activation_session WHERE rowid IN
            (SELECT rowid FROM activation_session WHERE kept_until <= :now LIMIT :limit)
            """,
            "DELETE FROM replay WHERE rowid IN (SELECT rowid FROM replay WHERE kept_until <= :now LIMIT :limit)",
            "DELETE FROM approval WHERE rowid IN (SELECT rowid FROM approval WHERE kept_until <= :now LIMIT :limit)",
            """
            DELETE FROM policy_decision WHERE rowid IN
            (SELECT rowid FROM policy_decision WHERE kept_until <= :now LIMIT :limit)
            """,
            """
            DELETE FROM stream_token WHERE token_hash IN
            (SELECT token_hash FROM stream_token WHERE expires_at <= :now LIMIT :limit)
            """,
            """
            DELETE FROM device_data WHERE device IN
            (SELECT device FROM device_data WHERE kept_until <= :now LIMIT :limit)
            """,
            "DELETE FROM challenge WHERE id IN (SELECT id FROM challenge WHERE expires_at <= :now LIMIT :limit)",
            """
            UPDATE activation_session SET keys = NULL, version = version + 1 WHERE rowid IN
            (SELECT rowid FROM activation_session WHERE keys IS NOT NULL AND expires_at <= :now LIMIT :limit)
            """,
            """
            UPDATE activation_password SET secret = NULL, version = version + 1 WHERE account IN
            (SELECT account FROM activation_password WHERE secret IS NOT NULL AND expires_at <= :now LIMIT :limit)
            """,
        ]
        return try statements.reduce(0) { count, statement in
            count + (try run(statement, ["now": now, "limit": max(0, limit)]))
        }
    }
}
