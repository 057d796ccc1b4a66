public import OrchestrationProtocol
public import Primitives

extension Platform {
    /// Returns the pointer to a pending approval request, for a QR code that a site shows.
    ///
    /// The caller proves nothing: a browser asks for the image. A pointer opens nothing, and it is not a secret. Names
    /// that application servers choose can be equal. A name is therefore found only while exactly one pending request
    /// of all application servers has it.
    ///
    /// - Parameters:
    ///   - name: The request id, or the session id that the application server gave.
    ///   - address: The address of the caller, which the limit of requests counts; `nil` for code in the same process,
    ///     which is not limited.
    /// - Returns: The pointer; `nil` when no pending request, or more than one, has the name.
    /// - Throws: ``PlatformError`` with `busy` over the limit of the address; `storeFailed`.
    public func approvalPointer(named name: String, from address: String?) async throws -> OrchestrationCommand? {
        try limiter.charge(address: address, now: time.now())
        return try await pendingApproval(named: name)?.pointer
    }

    /// Returns the pending approval request that has a name, for an administrator.
    ///
    /// - Parameter name: The request id, or the session id that the application server gave.
    /// - Returns: The request; `nil` when no pending request, or more than one, has the name.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func pendingApproval(named name: String) async throws -> ApprovalSummary? {
        let now = time.now()
        guard (1...ApprovalParameters.maximumSessionIDBytes).contains(name.utf8.count) else { return nil }
        // Requests that have expired are still marked as pending until they are swept. A few expired requests do not
        // hide one that is pending.
        let named = try await store.read { try $0.pendingApprovals(named: name, limit: 16) }
            .filter { $0.state(at: now) == .pending }
        guard let record = named.first, named.count == 1 else { return nil }
        return ApprovalSummary(
            id: record.id, account: record.account, kind: record.kind, createdAt: record.createdAt,
            expiresAt: record.expiresAt,
            pointer: ApprovalPointer(tenant: configuration.tenant, id: record.id).command)
    }
}

/// An approval request that waits for its user.
public struct ApprovalSummary: Sendable {
    /// The id, 16 bytes.
    public let id: [UInt8]
    /// `user@domain`, normalized.
    public let account: String
    /// The kind of the request.
    public let kind: ApprovalKind
    /// When it was requested.
    public let createdAt: Timestamp
    /// When it ends without an answer.
    public let expiresAt: Timestamp
    /// The command that leads a device to the request. It opens nothing.
    public let pointer: OrchestrationCommand
}
