internal import Primitives

extension EventRecord: StoredRecord {
    static let table = Table<EventRecord>(
        versioned: "event",
        key: [.init("sequence", \.sequence)],
        columns: [
            .init("id", \.event.id),
            .init("kind", \.event.kind),
            .init("time", \.event.time),
            .init("account", \.event.account),
            .init("device", \.event.device),
            .init("reason", \.event.reason),
            .init("request_id", \.event.requestID),
            .init("api_key", \.event.apiKey),
            .init("until", \.event.until),
            .init("count", \.event.count),
            .init("authentication_code", \.authenticationCode),
        ])

    init(row: StoredRow) throws {
        self.init(
            sequence: try row["sequence"],
            event: PlatformEvent(
                id: try row["id"], try row["kind"], time: try row["time"], account: try row["account"],
                device: try row["device"], reason: try row["reason"], requestID: try row["request_id"],
                apiKey: try row["api_key"], until: try row["until"], count: try row["count"]),
            version: try row["version"], authenticationCode: try row["authentication_code"])
    }
}

extension SQLiteTransaction {
    func event(_ sequence: Int64) throws -> EventRecord? {
        try record("WHERE sequence = :sequence", ["sequence": sequence])
    }

    func events(after sequence: Int64, limit: Int) throws -> [EventRecord] {
        try records(
            "WHERE sequence > :sequence ORDER BY sequence LIMIT :limit",
            ["sequence": sequence, "limit": max(0, limit)])
    }

    func eventCount() throws -> Int { try value("SELECT count(*) AS value FROM event") ?? 0 }

    func append(_ record: EventRecord) throws {
        let event = record.event
        try run(
            """
            INSERT INTO event (id, kind, time, account, device, reason, request_id, api_key, until, count, version,
                authentication_code)
            VALUES (:id, :kind, :time, :account, :device, :reason, :request, :key, :until, :count, :version, :code)
            """,
            [
                "id": event.id, "kind": event.kind, "time": event.time, "account": event.account,
                "device": event.device, "reason": event.reason, "request": event.requestID, "key": event.apiKey,
                "until": event.until, "count": event.count, "version": record.version,
                "code": record.authenticationCode,
            ])
    }

    func update(_ record: EventRecord) throws -> Bool { try compareAndSet(record) }

    func removeEvent(_ sequence: Int64, id: [UInt8]) throws -> Bool {
        try run("DELETE FROM event WHERE sequence = :sequence AND id = :id", ["sequence": sequence, "id": id]) == 1
    }

    func removeEvents(of account: String?, limit: Int) throws -> Int {
        guard let account else {
            return try run(
                "DELETE FROM event WHERE sequence IN (SELECT sequence FROM event ORDER BY sequence LIMIT :limit)",
                ["limit": max(0, limit)])
        }
        return try run(
            """
            DELETE FROM event WHERE sequence IN (SELECT sequence FROM event WHERE account = :account
            ORDER BY sequence LIMIT :limit)
            """, ["account": account, "limit": max(0, limit)])
    }
}
