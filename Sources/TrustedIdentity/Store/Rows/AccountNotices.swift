internal import Primitives

extension AccountNoticeRecord: StoredRecord {
    static let table = Table<AccountNoticeRecord>(
        "account_notice",
        key: [.init("account", \.account), .init("number", \.number)],
        columns: [
            .init("kind", \.kind),
            .init("time", \.time),
            .init("device", \.device),
            .init("kept_until", \.keptUntil),
        ])

    init(row: StoredRow) throws {
        self.init(
            account: try row["account"], number: try row["number"], kind: try row["kind"], time: try row["time"],
            device: try row["device"], keptUntil: try row["kept_until"])
    }
}

extension StoreReader {
    /// Returns the first notices of an account after a number, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized.
    ///   - number: The number of the last notice that the device has.
    ///   - start: The time after which a notice is of interest.
    ///   - now: The current time.
    func accountNotices(
        of account: String, after number: UInt64, since start: Timestamp, now: Timestamp
    ) throws -> [AccountNoticeRecord] {
        try records(
            """
            WHERE account = $1 AND number > $2 AND time > $3 AND kept_until > $4 ORDER BY number
            LIMIT \(AccountNoticeRecord.maximumInAnswer)
            """, [account, number, start, now])
    }
}

extension StoreTransaction {
    /// Adds a notice to its account, with a number after all others, and removes the oldest ones of too many.
    func append(_ notice: AccountNoticeRecord) throws {
        let last: UInt64? = try value(
            "SELECT number FROM account_notice WHERE account = $1 ORDER BY number DESC LIMIT 1", [notice.account])
        var notice = notice
        notice.number = max(notice.number, (last ?? 0) + 1)
        try requireWritten(insertRow(notice))
        try run(
            """
            DELETE FROM account_notice WHERE account = $1 AND number NOT IN (SELECT number FROM account_notice
            WHERE account = $1 ORDER BY number DESC LIMIT \(AccountNoticeRecord.maximumCount))
            """, [notice.account])
    }
}
