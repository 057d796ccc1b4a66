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

extension StoreReader {
    /// Returns the exchange of a session id (16 bytes).
    package func activationSession(_ id: [UInt8]) throws -> ActivationSessionRecord? {
        try record("WHERE id = $1", [id])
    }

    /// Returns exchanges in the order of their session ids, for walks over all of them.
    ///
    /// - Parameters:
    ///   - id: The session id before the first exchange to return; nil for the start.
    ///   - limit: The maximum number of exchanges to return, 1 or more.
    package func activationSessions(after id: [UInt8]?, limit: Int) throws -> [ActivationSessionRecord] {
        // Every id comes after the empty one.
        try records("WHERE id > $1 ORDER BY id LIMIT $2", [id ?? [], max(0, limit)])
    }
}

extension StoreTransaction {
    /// Returns the number of exchanges that are stored.
    ///
    /// - Parameter source: The hash of an address, ``ActivationSessionRecord/source``; nil for all exchanges.
    package func activationSessionCount(of source: String?) throws -> Int {
        guard let source else { return try value("SELECT count(*) FROM activation_session") ?? 0 }
        return try value(
            "SELECT count(*) FROM activation_session WHERE source = $1", [source]) ?? 0
    }

    /// Deletes exchanges, the earliest `expiresAt` first.
    ///
    /// - Parameters:
    ///   - source: The hash of an address; nil for all exchanges.
    ///   - limit: The maximum number of exchanges to delete.
    package func removeOldestActivationSessions(of source: String?, limit: Int) throws {
        var values: Parameters = [max(0, limit)]
        if let source { values.add(source) }
        try run(
            """
            DELETE FROM activation_session WHERE id IN (
                SELECT id FROM activation_session \(source == nil ? "" : "WHERE source = $2")
                ORDER BY expires_at LIMIT $1)
            """, values)
    }
}
