internal import Primitives

extension ChallengeRecord: StoredRecord {
    static let table = Table<ChallengeRecord>(
        versioned: "challenge",
        key: [.init("id", \.id)],
        columns: [
            .init("account", \.account),
            .init("principal", \.principal),
            .init("challenge", \.challenge),
            .init("expires_at", \.expiresAt),
            .init("used_at", \.usedAt),
        ])

    init(row: StoredRow) throws {
        self.init(
            id: try row["id"], account: try row["account"], principal: try row["principal"],
            challenge: try row["challenge"], expiresAt: try row["expires_at"], usedAt: try row["used_at"],
            version: try row["version"])
    }
}

extension StoreReader {
    /// Returns the challenge of a request id (16 bytes), used and expired ones included.
    package func challenge(_ id: [UInt8]) throws -> ChallengeRecord? { try record("WHERE id = $1", [id]) }
}

extension StoreTransaction {
    /// Deletes the challenges of an account but those with the latest `expiresAt`, ties by id.
    ///
    /// - Parameters:
    ///   - account: ``ChallengeRecord/account``.
    ///   - limit: The number of challenges that stay.
    package func removeOldestChallenges(of account: String, keeping limit: Int) throws {
        try run(
            """
            DELETE FROM challenge WHERE id IN (SELECT id FROM challenge WHERE account = $1
            ORDER BY expires_at DESC, id LIMIT \(Int64.max) OFFSET $2)
            """, [account, max(0, limit)])
    }
}
