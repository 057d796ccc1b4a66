internal import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// Returns the current state of an approval.
    ///
    /// A caller that gets `timeout` never gets another status later: the request is ended in the store first, which
    /// means that an answer that is under way is refused. If the store already contains an answer, that answer is
    /// reported instead.
    ///
    /// - Parameters:
    ///   - requestID: The request id of the report of ``requestApproval(_:)``.
    ///   - principal: The id of the API key that asked; empty for code that embeds the platform.
    /// - Returns: The report, with the number while the request is pending.
    /// - Throws: ``PlatformError`` with `unknownApproval` for an id that the principal has not used, and for a request
    ///   that is no longer kept: an unanswered request is kept for 10 minutes after its end. `alteredRow`,
    ///   `storeFailed`.
    public func approval(requestID: String, of principal: String = "") async throws -> ApprovalReport {
        guard ApprovalParameters.isRequestID(requestID) else { throw PlatformError(.unknownApproval) }
        return try await approval { try $0.approval(requestID: requestID, of: principal) }
    }

    /// Returns the current state of the approval with an id. Its request id may name a later request meanwhile.
    func approval(id: [UInt8]) async throws -> ApprovalReport { try await approval { try $0.approval(id) } }

    private func approval(
        _ find: @escaping @Sendable (any StoreReader) throws -> ApprovalRecord?
    ) async throws -> ApprovalReport {
        let (record, now) = try await retryingConflicts {
            let record = try await kept(find)
            let now = time.now()
            guard record.state == .pending, record.state(at: now) == .expired else { return (record, now) }
            return (try await expire(record, at: now), now)
        }
        return try report(of: record, now: now)
    }

    /// Ends a pending request as expired.
    ///
    /// - Throws: ``WriteConflict`` when it has ended otherwise since it was read.
    private func expire(_ record: ApprovalRecord, at now: Timestamp) async throws -> ApprovalRecord {
        try await store.write { store in
            try store.end(record, as: .expired, keptUntil: record.keptUntil, at: now)
            guard let ended = try store.approval(record.id) else { throw PlatformError(.unknownApproval) }
            return ended
        }
    }

    /// Waits until an approval ends.
    ///
    /// Canceling the task ends the wait and does not change the request: it can still be answered.
    ///
    /// - Parameters:
    ///   - requestID: The request id.
    ///   - principal: The id of the API key that asked; empty for code that embeds the platform.
    ///   - timeout: The longest time to wait; zero returns at once.
    /// - Returns: The report. It is `pending` when the timeout passed first.
    /// - Throws: As ``approval(requestID:of:)``; `busy` when too many callers wait; `CancellationError`.
    public func approval(
        requestID: String, of principal: String = "", waiting timeout: Duration
    ) async throws -> ApprovalReport {
        try await end(of: approval(requestID: requestID, of: principal), within: timeout)
    }

    /// Waits until the approval of a report ends.
    private func end(of first: ApprovalReport, within timeout: Duration) async throws -> ApprovalReport {
        guard let id = first.id, first.status == .pending, timeout > .zero else { return first }
        let begin = time.uptime()
        return try await watch.waiting(for: .approvalRequest(id)) { changes in
            while true {
                try Task.checkCancellation()
                let report = try await approval(id: id)
                let left = timeout - (time.uptime() - begin)
                guard report.status == .pending, left > .zero else { return report }
                try await changes.next(within: min(left, untilExpiry(of: report)), on: time)
            }
        }
    }

    /// Requests an approval and waits until it ends.
    ///
    /// Canceling the task ends the wait and does not change the request: it can still be answered. When too many
    /// callers wait, no request is created.
    ///
    /// - Parameters:
    ///   - parameters: The data that the user is asked to approve.
    ///   - timeout: The longest time to wait, more than zero.
    /// - Returns: The report; the report of ``requestApproval(_:)`` when the policy decides without an approval
    ///   request. It is `pending` when the timeout passed first.
    /// - Throws: As ``requestApproval(_:)``; `busy` when too many callers wait; `CancellationError`.
    public func requestApproval(
        _ parameters: ApprovalParameters, waiting timeout: Duration
    ) async throws -> ApprovalReport {
        guard watch.hasRoom else { throw PlatformError(.busy) }
        let report = try await requestApproval(parameters)
        do {
            return try await end(of: report, within: timeout)
        } catch {
            // Another caller has taken the last place meanwhile. This caller would not get the answer, so the request
            // ends.
            if (error as? PlatformError)?.code == .busy, let id = report.id {
                // An error of the cancellation must not hide the cause. The request then expires.
                _ = try? await cancelApproval(notice: nil) { try $0.approval(id) }
            }
            throw error
        }
    }

    /// Cancels a pending approval request. Devices get the refusal `approvalCanceled`, with the notice.
    ///
    /// - Parameters:
    ///   - requestID: The request id.
    ///   - principal: The id of the API key that asked; empty for code that embeds the platform.
    ///   - notice: The notice that the user's app shows or reads. The notice of the first cancellation counts.
    /// - Returns: The report: `refused`, with the reason `canceled`.
    /// - Throws: ``PlatformError`` with `unknownApproval`, `approvalEnded` when it has ended otherwise, `alteredRow`,
    ///   `storeFailed`. Canceling again is not an error.
    public func cancelApproval(
        requestID: String, of principal: String = "", notice: RefusalNotice? = nil
    ) async throws -> ApprovalReport {
        guard ApprovalParameters.isRequestID(requestID) else { throw PlatformError(.unknownApproval) }
        return try await cancelApproval(notice: notice) { try $0.approval(requestID: requestID, of: principal) }
    }

    private func cancelApproval(
        notice: RefusalNotice?, _ find: @escaping @Sendable (any StoreReader) throws -> ApprovalRecord?
    ) async throws -> ApprovalReport {
        let record = try await retryingConflicts {
            let now = time.now()
            let record = try await kept(find)
            switch record.state(at: now) {
            case .canceled: return record
            case .pending: break
            case .approved, .rejected, .wrongNumber, .methodRefused, .expired, .replaced:
                throw PlatformError(.approvalEnded)
            }
            return try await store.write { store in
                try store.end(
                    record, as: .canceled, notice: notice,
                    keptUntil: now.advanced(milliseconds: ApprovalRetention.unanswered), at: now)
                guard let ended = try store.approval(record.id) else { throw PlatformError(.unknownApproval) }
                return ended
            }
        }
        watch.changed(.approvalRequest(record.id))
        return try report(of: record, now: time.now())
    }

    /// Returns a record that is still kept.
    private func kept(
        _ find: @escaping @Sendable (any StoreReader) throws -> ApprovalRecord?
    ) async throws -> ApprovalRecord {
        guard let record = try await read(find)?.kept(at: time.now()) else { throw PlatformError(.unknownApproval) }
        return record
    }

    /// Returns the report of a row, with its number opened.
    private func report(of record: ApprovalRecord, now: Timestamp) throws -> ApprovalReport {
        do {
            let content = try record.content()
            let number = try record.number.map { sealed in
                let secret = try sealer.open(
                    sealed, .approvalNumber, row: record.id, owner: RowOwner(account: record.account), revision: 0)
                return secret.withBytes { span in
                    String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
                }
            }
            return ApprovalReport(record, content: content, number: number, now: now)
        } catch let error as WireError {
            throw PlatformError(.internal, underlying: error)
        }
    }

    /// Returns the time until a pending request expires, at least a millisecond.
    func untilExpiry(of report: ApprovalReport) -> Duration {
        guard let expiry = report.expiresAt else { return .zero }
        return .milliseconds(max(1, expiry.milliseconds(since: time.now())))
    }
}
