internal import Primitives

extension Platform {
    /// Returns the record of a policy decision.
    ///
    /// Records are for administrators: they show what the platform knows of the account, and whether the account
    /// exists. They carry no HMAC. A record that was exchanged for another one, or for a record of another account, is
    /// detected.
    ///
    /// - Parameter id: The id that an approval request, its receipt and ``ApprovalReport/decision`` name, 16 bytes.
    /// - Returns: The record; `nil` for an unknown id, and for a record that is no longer kept
    ///   (``Retention/receipts``).
    /// - Throws: ``PlatformError`` with `alteredRow` for a row that contains no record, or a record with other names,
    ///   `storeFailed`.
    public func decision(_ id: [UInt8]) async throws -> DecisionRecord? {
        guard let row = try await read({ try $0.policyDecision(id) }), time.now() < row.keptUntil else { return nil }
        guard let record = try? DecisionRecord(decoding: row.record), record.id == row.id,
            record.account == row.account, record.time == row.createdAt
        else { throw PlatformError(.alteredRow) }
        return record
    }
}
