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

extension StoreReader {
    /// Returns the answer to a request of a device, or its refusal.
    ///
    /// - Parameters:
    ///   - device: The device id, 16 bytes.
    ///   - request: The request id, 16 bytes.
    package func replay(device: [UInt8], request: [UInt8]) throws -> ReplayRecord? {
        try record("WHERE device = $1 AND request = $2", [device, request])
    }

    /// Returns the number of replays of a device that are refusals, with `keptUntil > time`.
    ///
    /// - Parameters:
    ///   - device: The device id, 16 bytes.
    ///   - time: The platform's time.
    package func refusalCount(of device: [UInt8], after time: Timestamp) throws -> Int {
        try value(
            """
            SELECT count(*) FROM replay
            WHERE device = $1 AND \(Schema.isRefusal) AND kept_until > $2
            """, [device, time]) ?? 0
    }
}

extension StoreTransaction {
    /// Stores the answer to a request of a device, or its refusal. Returns false if the request id of that device is
    /// known.
    package func insert(_ record: ReplayRecord) throws -> Bool { try insertRow(record) }

    /// Deletes the replays of a device that are refusals.
    package func removeRefusals(of device: [UInt8]) throws {
        try run("DELETE FROM replay WHERE device = $1 AND \(Schema.isRefusal)", [device])
    }

    /// Removes what expired: deletes the exchanges, replays, approval requests, records of decisions and device data
    /// with `keptUntil <= now`, the challenges and stream tokens with `expiresAt <= now`, and the unlock codes that are
    /// older than a day, and erases the keys of the exchanges and the secrets of the activation passwords with
    /// `expiresAt <= now`, whose versions are counted up.
    ///
    /// - Parameters:
    ///   - now: The platform's time.
    ///   - limit: The maximum number of rows of each kind. It keeps the transaction short.
    /// - Returns: The number of rows that were deleted or changed.
    // Each condition has its own index; see `Schema`.
    package func removeExpired(now: Timestamp, limit: Int) throws -> Int {
        // The codes of an account are counted for as long as their rows stay.
        let unlockCodes = now.advanced(milliseconds: -UnlockLimits.countedTime)
        let removed = try run(
            "DELETE FROM unlock_code WHERE id IN (SELECT id FROM unlock_code WHERE created_at <= $1 LIMIT $2)",
            [unlockCodes, max(0, limit)])
        let expired = [
            ("activation_session", key: "id", time: "kept_until"),
            ("replay", key: "device, request", time: "kept_until"),
            ("approval", key: "id", time: "kept_until"),
            ("policy_decision", key: "id", time: "kept_until"),
            ("stream_token", key: "token_hash", time: "expires_at"),
            ("device_data", key: "device", time: "kept_until"),
            ("account_notice", key: "account, number", time: "kept_until"),
            ("challenge", key: "id", time: "expires_at"),
        ]
        let deletions = expired.map { table, key, time in
            "DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(time) <= $1 LIMIT $2)"
        }
        let erasures = [
            """
            UPDATE activation_session SET keys = NULL, version = version + 1 WHERE id IN
            (SELECT id FROM activation_session WHERE keys IS NOT NULL AND expires_at <= $1 LIMIT $2)
            """,
            """
            UPDATE activation_password SET secret = NULL, version = version + 1 WHERE account IN
            (SELECT account FROM activation_password WHERE secret IS NOT NULL AND expires_at <= $1 LIMIT $2)
            """,
        ]
        return try (deletions + erasures).reduce(removed) { count, statement in
            count + (try run(statement, [now, max(0, limit)]))
        }
    }
}
