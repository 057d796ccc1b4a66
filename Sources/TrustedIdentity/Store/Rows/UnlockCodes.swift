internal import Primitives

extension UnlockCodeRecord: StoredRecord {
    static let table = Table<UnlockCodeRecord>(
        versioned: "unlock_code",
        key: [.init("id", \.id)],
        columns: [
            .init("account", \.account),
            .init("device", \.device),
            .init("handle", \.handle),
            .init("secret_hash", \.secretHash),
            .init("created_at", \.createdAt),
            .init("expires_at", \.expiresAt),
            .init("tries", \.tries),
            .init("generation", \.generation),
        ])

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], account: try row["account"], device: try row["device"], handle: try row["handle"],
            secretHash: try row["secret_hash"], createdAt: try row["created_at"], expiresAt: try row["expires_at"],
            tries: try row["tries"], generation: try row["generation"], version: try row["version"])
    }
}

extension StoreReader {
    /// Returns the unlock code of a device that has not ended; nil for none. It may have expired.
    ///
    /// - Parameter device: The id of the device, 16 bytes.
    package func unlockCode(of device: [UInt8]) throws -> UnlockCodeRecord? {
        try record("WHERE device = $1 AND secret_hash IS NOT NULL", [device])
    }

    /// Returns the number of unlock codes of an account that were made after a time.
    ///
    /// - Parameter account: `user@domain`, normalized.
    package func unlockCodeCount(of account: String, after time: Timestamp) throws -> Int {
        try value("SELECT count(*) FROM unlock_code WHERE account = $1 AND created_at > $2", [account, time]) ?? 0
    }
}

extension StoreTransaction {
    /// Stores an unlock code. The one of the device before ends.
    package func insert(_ record: UnlockCodeRecord) throws -> Bool {
        try endUnlockCodes(of: record.device)
        return try insertRow(record)
    }

    /// Ends the unlock code of a device.
    package func endUnlockCodes(of device: [UInt8]) throws {
        try run(
            """
            UPDATE unlock_code SET secret_hash = NULL, version = version + 1
            WHERE device = $1 AND secret_hash IS NOT NULL
            """, [device])
    }
}
