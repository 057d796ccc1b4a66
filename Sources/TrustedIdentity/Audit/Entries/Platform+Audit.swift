public import Primitives

extension Platform {
    /// Returns entries of the audit log, the latest first.
    ///
    /// - Parameters:
    ///   - account: Restricts the entries to this account; `nil` for all accounts.
    ///   - before: Restricts the entries to lower sequence numbers; `nil` for the latest.
    ///   - limit: The maximum number of entries, 1 to 1,000.
    /// - Throws: ``PlatformError`` with `malformedRequest` for another limit, `storeFailed`.
    public func audit(
        of account: AccountName? = nil, before: Int64? = nil, limit: Int = 100
    ) async throws -> [AuditEntry] {
        guard (1...1_000).contains(limit) else { throw PlatformError(.malformedRequest) }
        try await numberArrivals()
        return try await read { try $0.auditEntries(of: account?.text, before: before, limit: limit) }
    }

    /// Returns counts of events that strangers can cause: tries with activation passwords that do not exist, and all
    /// refusals of the kinds of ``AuditListing``, including the refusals that the log lists.
    ///
    /// - Parameter limit: The maximum number of counts, the latest hour first, 1 to 1,000.
    /// - Throws: ``PlatformError`` with `malformedRequest` for another limit, `storeFailed`.
    public func auditTallies(limit: Int = 100) async throws -> [AuditTally] {
        guard (1...1_000).contains(limit) else { throw PlatformError(.malformedRequest) }
        return try await read { try $0.auditTallies(limit: limit) }
    }
}
