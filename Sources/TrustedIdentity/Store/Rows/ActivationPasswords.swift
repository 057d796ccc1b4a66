internal import Primitives

extension ActivationPasswordRecord: StoredRecord {
    static let table = Table<ActivationPasswordRecord>(
        versioned: "activation_password",
        key: [.init("account", \.account)],
        columns: [
            .init("registration_id", \.registrationID),
            .init("serial_number", \.serialNumber),
            .init("handle", \.handle),
            .init("secret", \.secret),
            .init("created_at", \.createdAt),
            .init("expires_at", \.expiresAt),
            .init("tries", \.tries),
            .init("spent_at", \.spentAt),
            .init("moved_device", \.movedDevice),
        ])

    init(row: StoredRow) throws {
        self.init(
            account: try row["account"], registrationID: try row["registration_id"],
            serialNumber: try row["serial_number"], handle: try row["handle"], secret: try row["secret"],
            createdAt: try row["created_at"], expiresAt: try row["expires_at"], tries: try row["tries"],
            spentAt: try row["spent_at"], movedDevice: try row["moved_device"], version: try row["version"])
    }
}

extension StoreReader {
    /// Returns the latest activation password of an account, spent and expired ones included.
    ///
    /// - Parameter account: `user@domain`, normalized.
    package func activationPassword(of account: String) throws -> ActivationPasswordRecord? {
        try record("WHERE account = $1", [account])
    }
}

extension StoreTransaction {
    /// Stores the activation password of an account, and replaces the previous one.
    package func put(_ record: ActivationPasswordRecord) throws { try replaceRow(record) }

    /// Spends one try: `tries + 1` if and only if the activation password of the account is still that of the
    /// registration, is not spent, expires after `now`, and has fewer than `limit` tries. Its version is counted up
    /// too. Otherwise returns false and changes nothing.
    package func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) throws -> Bool {
        try run(
            """
            UPDATE activation_password SET tries = tries + 1, version = version + 1
            WHERE account = $1 AND registration_id = $2 AND spent_at IS NULL AND expires_at > $3
                AND tries < $4
            """, [account, registrationID, now, limit]) == 1
    }

    /// Returns one try: `tries - 1` if and only if the activation password of the account is still that of the
    /// registration and has a try to return. Its version is counted up too. Whether it expired does not matter.
    /// Otherwise returns false.
    package func returnTry(account: String, registrationID: String) throws -> Bool {
        try run(
            """
            UPDATE activation_password SET tries = tries - 1, version = version + 1
            WHERE account = $1 AND registration_id = $2 AND tries > 0
            """, [account, registrationID]) == 1
    }

    /// Ends the open move of a device: its activation password is spent.
    package func endMove(of device: [UInt8], account: String, now: Timestamp) throws {
        try run(
            """
            UPDATE activation_password SET spent_at = $1, secret = NULL, version = version + 1
            WHERE account = $2 AND moved_device = $3 AND spent_at IS NULL
            """, [now, account, device])
    }
}
