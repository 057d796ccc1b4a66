internal import Primitives

extension ActivationSessionRecord: StoredRecord {
    static let table = Table<ActivationSessionRecord>(
        versioned: "activation_session",
        key: [.init("id", \.id)],
        columns: [
            .init("account", \.account),
            .init("registration_id", \.registrationID),
            .init("first_request_hash", \.firstRequestHash),
            .init("first_answer", \.firstAnswer),
            .init("keys", \.keys),
            .init("expires_at", \.expiresAt),
            .init("second_request_hash", \.secondRequestHash),
            .init("second_answer", \.secondAnswer),
            .init("kept_until", \.keptUntil),
            .init("source", \.source),
        ])

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], account: try row["account"], registrationID: try row["registration_id"],
            firstRequestHash: try row["first_request_hash"], firstAnswer: try row["first_answer"],
            keys: try row["keys"], expiresAt: try row["expires_at"],
            secondRequestHash: try row["second_request_hash"], secondAnswer: try row["second_answer"],
            keptUntil: try row["kept_until"], source: try row["source"], version: try row["version"])
    }
}

extension SQLiteTransaction {
    func activationSession(_ id: [UInt8]) throws -> ActivationSessionRecord? {
        try record("WHERE id = :id", ["id": id])
    }

    func activationSessions(after id: [UInt8]?, limit: Int) throws -> [ActivationSessionRecord] {
        // Every id comes after the empty one.
        try records("WHERE id > :id ORDER BY id LIMIT :limit", ["id": id ?? [], "limit": max(0, limit)])
    }

    func insert(_ record: ActivationSessionRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: ActivationSessionRecord) throws -> Bool { try compareAndSet(record) }

    func activationSessionCount(of source: String?) throws -> Int {
        guard let source else { return try value("SELECT count(*) AS value FROM activation_session") ?? 0 }
        return try value(
            "SELECT count(*) AS value FROM activation_session WHERE source = :source", ["source": source]) ?? 0
    }

    func removeOldestActivationSessions(of source: String?, limit: Int) throws {
        var values: Parameters = ["limit": max(0, limit)]
        if let source { values.add("source", source) }
        try run(
            """
            DELETE FROM activation_session WHERE rowid IN (
                SELECT rowid FROM activation_session \(source == nil ? "" : "WHERE source = :source")
                ORDER BY expires_at LIMIT :limit)
            """, values)
    }
}
