internal import OrchestrationProtocol
internal import Primitives

/// Lists the approval requests that wait.
struct ApprovalListHandler: MessageHandler {
    /// The requests of the account that wait, the oldest first.
    let pending: [ApprovalRecord]

    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.accept(
            .approvalList(
                pending.prefix(FieldLimit.approvals).map {
                    PendingApproval(
                        id: $0.id, kind: $0.kind, created: $0.createdAt, expiry: $0.expiresAt,
                        isAnnounced: $0.isAnnounced)
                }))
    }
}

/// Returns a signed approval request to the device that shows it.
struct ApprovalFetchHandler: MessageHandler {
    /// The request; `nil` when there is none, or it belongs to another account.
    let record: ApprovalRecord?
    /// The time of the latest restore; `nil` if there was none.
    let restoredAt: Timestamp?

    func decide(_ request: ServedRequest) -> DeviceDecision {
        guard let record else { return request.refuse(.approvalUnknown) }
        if let code = record.refusalOfEnded(at: request.now, restoredAt: restoredAt) {
            return request.refuse(code, of: record)
        }
        guard let signed = try? Sign1(decoding: record.request) else { return request.refuse(.approvalUnknown) }
        var decision = request.accept(.approvalFetch(signed))
        if record.openedAt == nil {
            var opened = record
            opened.openedAt = request.now
            decision.write = { [opened] in try requireWritten($0.update(opened)) }
            decision.changedApproval = record.id
        }
        return decision
    }
}

extension ServedRequest {
    /// Refuses a message about an approval request that has ended. A canceled one may have a notice, and so may one
    /// whose answer the policy has refused.
    func refuse(_ code: RefusalCode, of record: ApprovalRecord) -> DeviceDecision {
        var decision = refuse(code)
        switch code {
        case .approvalCanceled: decision.notice = record.notice
        case .methodRefused: decision.notice = record.refusalNotice
        default: break
        }
        return decision
    }
}

extension ApprovalRecord {
    /// Returns the refusal of a message about a request that has ended; `nil` for one that waits.
    ///
    /// An answer that was under way during the restore may have ended the request before, with a receipt that the
    /// backup does not contain.
    func refusalOfEnded(at now: Timestamp, restoredAt: Timestamp?) -> RefusalCode? {
        if let restoredAt, createdAt <= restoredAt, state == .pending { return .approvalExpired }
        switch state(at: now) {
        case .pending: return nil
        case .approved, .rejected, .wrongNumber, .methodRefused: return .approvalAnswered
        case .expired: return .approvalExpired
        case .replaced: return .approvalReplaced
        case .canceled: return .approvalCanceled
        }
    }
}

extension StoreReader {
    /// Returns the requests of an account that wait for an answer of a device, the oldest first.
    func waitingApprovals(for device: DeviceRecord, now: Timestamp) throws -> [ApprovalRecord] {
        try waitingApprovals(of: device.account, now: now).filter { $0.isOpen(to: device) }
    }

    /// Returns the requests of an account that wait for an answer, the oldest first.
    func waitingApprovals(of account: String, now: Timestamp) throws -> [ApprovalRecord] {
        try pendingApprovals(of: account).filter { $0.state(at: now) == .pending }
    }

    /// Returns a request for a device by its id; `nil` for one that is altered or no longer kept. A request of another
    /// account, or for another device, is treated as nonexistent.
    func keptApproval(id: [UInt8], for device: DeviceRecord, now: Timestamp) throws -> ApprovalRecord? {
        try ifUnaltered { try approval(id) }?.kept(at: now, for: device)
    }

    /// Returns a request for a device by the hash of its signed bytes, as ``keptApproval(id:for:now:)`` does.
    func keptApproval(requestHash: [UInt8], for device: DeviceRecord, now: Timestamp) throws -> ApprovalRecord? {
        try ifUnaltered { try approval(requestHash: requestHash) }?.kept(at: now, for: device)
    }
}

extension ApprovalRecord {
    /// Whether a device may open and answer the request. A seal is for the device that has asked for it.
    func isOpen(to device: DeviceRecord) -> Bool { kind != .seal || self.device == device.id }

    fileprivate func kept(at now: Timestamp, for device: DeviceRecord) -> ApprovalRecord? {
        account == device.account && isOpen(to: device) ? kept(at: now) : nil
    }
}
