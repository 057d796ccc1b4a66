internal import OrchestrationProtocol
internal import Primitives

/// A receipt with its confirmation, which a repeated decision uses again when it leads to the same confirmation.
struct SignedReceipt: Sendable {
    let confirmation: ReceiptConfirmation
    let parts: ReceiptParts
}

/// The part of a device's transaction that ends an approval request: its row, the risk state, and the source of an
/// approved login.
struct ApprovalWrite: Sendable {
    /// The row with the end in it.
    let ended: ApprovalRecord
    /// The new risk state; `nil` when it has not changed.
    let risk: AccountRiskRecord?
    let hasRiskRow: Bool
    /// Whether the user has approved with the password, which lifts a block of typed codes.
    let provesPassword: Bool
    let now: Timestamp

    /// Writes everything.
    ///
    /// - Throws: ``WriteConflict`` when a row changed since it was read: another device has answered, for example.
    func commit(in store: StoreTransaction) throws {
        try requireWritten(store.update(ended))
        if let risk { try requireWritten(hasRiskRow ? store.update(risk) : store.insert(risk)) }
        if ended.state == .approved, ended.kind == .login { try rememberSource(in: store) }
        if ended.reason == .notMe { try withdrawAnnouncements(in: store) }
        if let event = PlatformEvent(ended) { try store.append(EventRecord(event: event)) }
    }

    /// Lifts the blocks of typed codes, if there are any and previous answers have reported all wrong codes.
    func liftCodeBlocks(in store: StoreTransaction) throws {
        let counts = try store.throttles(of: ended.account).filter { $0.key.kind == .code }
        let isBlocked = counts.contains { count in
            Throttle.isBlocked(count, now: now) || count.consecutive >= Throttle.overallLimit
        }
        guard isBlocked, counts.allSatisfy({ $0.unreported == 0 }) else { return }
        for count in counts { try requireWritten(store.update(Throttle.lifted(count, now: now))) }
        try store.append(
            AuditEntry(
                time: now, event: .throttleLifted, account: ended.account, device: ended.device, reason: "approval"))
    }

    /// Stops the announcement of the other requests that wait. The user reaches them by opening the app.
    private func withdrawAnnouncements(in store: StoreTransaction) throws {
        for var other in try store.pendingApprovals(of: ended.account) where other.isAnnounced && other.id != ended.id {
            other.isAnnounced = false
            try requireWritten(store.update(other))
        }
    }

    /// Remembers the source of an approved login. Unlike an accepted code, it does not end the count of wrong codes,
    /// because an approval does not concern them.
    private func rememberSource(in store: StoreTransaction) throws {
        let source = ended.source
        guard !KeyedHashes.isSession(source) else { return }
        let scope = ThrottleScope(account: ended.account, kind: .code, hashedSource: source)
        try requireWritten(scope.remember(in: store, now: now))
    }
}

extension Platform {
    /// Signs the receipt of an answer.
    ///
    /// - Parameters:
    ///   - keys: The keys of the platform when the request was opened.
    ///   - earlier: The receipt of a previous attempt at the same decision.
    func signedReceipt(
        of end: ApprovalEnd, device: DeviceRecord, keys: PlatformKeys, earlier: SignedReceipt?, now: Timestamp
    ) throws -> SignedReceipt {
        let confirmation = end.confirmation(of: device, at: now)
        if let earlier, earlier.confirmation == confirmation { return earlier }
        return SignedReceipt(
            confirmation: confirmation,
            parts: ReceiptParts(
                request: try Sign1(decoding: end.record.request), answer: end.answer.signed,
                confirmation: try confirmation.signed(with: [keys.signingKey(at: now)])))
    }

    /// Returns the writes of the end of a request.
    func approvalWrite(
        _ end: ApprovalEnd, _ receipt: SignedReceipt, device: DeviceRecord, now: Timestamp
    ) -> ApprovalWrite {
        var risk = end.risk
        if let event = end.riskEvent { risk.record(event, at: now, policy: policy) }
        var row = end.riskRow ?? AccountRiskRecord(account: device.account, state: [])
        row.state = risk.encoded
        return ApprovalWrite(
            ended: end.ended(
                receipt: receipt.parts.encoded, keptUntil: now.advanced(by: configuration.retention.receipts),
                device: device, at: now),
            risk: risk == end.risk ? nil : row, hasRiskRow: end.riskRow != nil,
            provesPassword: end.outcome == .approved && end.verified == .password, now: now)
    }
}
