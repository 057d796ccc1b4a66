internal import Primitives
internal import TrustedIdentity

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

    func activationSessionCount(of network: String) throws -> Int {
        try value("SELECT count FROM activation_session_count WHERE network = :network", ["network": network]) ?? 0
    }

    func busiestActivationNetwork(in network: String) throws -> String? {
        try value(
            """
            SELECT network FROM activation_session_count WHERE parent = :network ORDER BY count DESC, network LIMIT 1
            """, ["network": network])
    }

    func removeEndedActivationSessions(of network: String, now: Timestamp, limit: Int) throws -> Int {
        // An address has at most a thousand exchanges, which its index finds.
        let ended =
            network.isEmpty
            ? "WHERE kept_until <= :now"
            : "INDEXED BY activation_session_by_source WHERE source = :network AND kept_until <= :now"
        var values: Parameters = ["now": now, "limit": max(0, limit)]
        if !network.isEmpty { values.add("network", network) }
        return try run(
            """
            DELETE FROM activation_session WHERE rowid IN (SELECT rowid FROM activation_session \(ended) LIMIT :limit)
            """, values)
    }

    func removeOldestActivationSessions(of network: String, limit: Int) throws {
        // The narrowest networks have an index of their own. For a wider one, the index by age is read until the limit
        // is reached: the larger the part of the network in all exchanges, the sooner.
        let isNarrowest = network.count == 3 * ActivationSessionRecord.networkNameLength
        let oldest =
            isNarrowest
            ? "INDEXED BY activation_session_by_source WHERE source = :network"
            : "INDEXED BY activation_session_by_age WHERE substr(source, 1, length(:network)) = :network"
        try run(
            """
            DELETE FROM activation_session WHERE rowid IN (SELECT rowid FROM activation_session \(oldest)
            ORDER BY second_answer IS NOT NULL, expires_at LIMIT :limit)
            """, ["network": network, "limit": max(0, limit)])
    }
}
