internal import Primitives

extension EventRecord: StoredRecord {
    static let table = Table<EventRecord>(
        "event",
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
        ])

    init(row: StoredRow) throws {
        self.init(
            sequence: try row["sequence"],
            event: PlatformEvent(
                id: try row["id"], try row["kind"], time: try row["time"], account: try row["account"],
                device: try row["device"], reason: try row["reason"], requestID: try row["request_id"],
                apiKey: try row["api_key"], until: try row["until"], count: try row["count"]))
    }
}

extension StoreReader {
    /// Returns the event with a sequence number.
    package func event(_ sequence: Int64) throws -> EventRecord? {
        try record("WHERE sequence = $1", [sequence])
    }

    /// Returns events that wait for their delivery, the earliest first.
    ///
    /// - Parameters:
    ///   - sequence: The number before the first event to return; 0 for all.
    ///   - limit: The maximum number of events to return, 1 or more.
    package func events(after sequence: Int64, limit: Int) throws -> [EventRecord] {
        try records(
            "WHERE sequence > $1 ORDER BY sequence LIMIT $2",
            [sequence, max(0, limit)])
    }

    /// Returns the number of events that wait for their delivery.
    package func eventCount() throws -> Int { try value("SELECT count(*) FROM event") ?? 0 }
}

extension StoreTransaction {
    /// Appends an event to those that wait for their delivery.
    ///
    /// SQLite gives it a number, one above the highest that it ever gave, from 1. On PostgreSQL it has none until
    /// ``numberEvents(limit:)``.
    ///
    /// The store of an open platform gives it a new id; a platform that records no events writes nothing.
    ///
    /// - Parameter record: The event. Its own number is ignored.
    package func append(_ record: EventRecord) throws {
        var event = record.event
        if let random {
            guard let outbox else { return }
            event.id = random.bytes(16)
            outbox.note()
        }
        try run(
            """
            INSERT INTO event (id, kind, time, account, device, reason, request_id, api_key, until, count)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                event.id, event.kind, event.time, event.account, event.device, event.reason, event.requestID,
                event.apiKey, event.until, event.count,
            ])
    }

    /// Gives the events without a number the next ones, in the order of their arrival. SQLite has no such event. Call
    /// ``excludeMaintenance()`` before: only one transaction at a time may do so, because the delivery never looks at
    /// a number below one that it has read.
    ///
    /// A sequence of PostgreSQL returns no number twice, also after the removal of all events.
    ///
    /// - Parameter limit: The maximum number of events.
    /// - Returns: The number of events that were numbered.
    func numberEvents(limit: Int) throws -> Int {
        guard session.dialect == .postgreSQL else { return 0 }
        // The second subquery has a volatile function. PostgreSQL therefore runs it once, row by row.
        return try run(
            """
            WITH waiting AS (
                SELECT arrival FROM event WHERE sequence IS NULL ORDER BY arrival LIMIT $1
            ), numbered AS (
                SELECT arrival, nextval('event_numbers') AS number FROM waiting
            )
            UPDATE event SET sequence = numbered.number FROM numbered WHERE event.arrival = numbered.arrival
            """, [max(0, limit)])
    }

    /// Deletes the event with a number and an id. Returns whether there was one.
    package func removeEvent(_ sequence: Int64, id: [UInt8]) throws -> Bool {
        try run("DELETE FROM event WHERE sequence = $1 AND id = $2", [sequence, id]) == 1
    }

    /// Deletes the events of an account, the earliest first.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized; nil for all events, those without an account among them.
    ///   - limit: The maximum number of events to delete.
    /// - Returns: The number of events that were deleted.
    package func removeEvents(of account: String?, limit: Int) throws -> Int {
        // On PostgreSQL, an event may have no number yet.
        let key = session.dialect == .postgreSQL ? "arrival" : "sequence"
        guard let account else {
            return try run(
                "DELETE FROM event WHERE \(key) IN (SELECT \(key) FROM event ORDER BY \(key) LIMIT $1)",
                [max(0, limit)])
        }
        return try run(
            """
            DELETE FROM event WHERE \(key) IN (SELECT \(key) FROM event WHERE account = $1
            ORDER BY \(key) LIMIT $2)
            """, [account, max(0, limit)])
    }
}
