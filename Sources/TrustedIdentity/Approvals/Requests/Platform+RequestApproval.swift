internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// Asks a user to approve a login, a transaction or an event.
    ///
    /// The policy decides whether and how the user is asked. A request for an unknown user is made, signed and stored
    /// like any other, and expires. The report leaves at the tick of a refused login (``login(_:)``), whether the user
    /// exists or not.
    ///
    /// - Parameter parameters: The parameters of the request.
    /// - Returns: The report: `pending` with the pointer, and with the number that the site shows if the policy asks
    ///   for one; or `accepted` or `refused` when the policy decided without an approval request.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a value outside its limits, `requestIDInUse` when a
    ///   pending request of the same principal has the request id, or a transaction that was approved;
    ///   `alteredRow`, `storeFailed`, `busy`.
    public func requestApproval(_ parameters: ApprovalParameters) async throws -> ApprovalReport {
        guard parameters.isValid else { throw PlatformError(.malformedRequest) }
        let tick = answerTick()
        let draft = ApprovalDraft(parameters, random: random)
        var signed: SignedApproval?
        let (report, creation) = try await retryingConflicts {
            let now = time.now()
            let rows = try await store.read { [hashes] in
                try ApprovalRows(parameters, hashes: hashes, now: now, in: $0)
            }
            let risk = try rows.risk.map { try RiskState(decoding: $0.state) } ?? RiskState()
            let plan = ApprovalPlan(
                parameters, rows: rows, risk: risk, hashes: hashes, policy: policy, now: now)
            var creation = ApprovalCreation(plan, rows: rows, draft: draft, configuration: configuration, now: now)
            let report: ApprovalReport
            switch plan.outcome {
            case .ends(let status, let reason):
                report = ApprovalReport(
                    parameters, requestID: draft.requestID, status: status, reason: reason, decision: draft.decision)
            case .asks(let challenge, _):
                let content = draft.content(challenge, tenant: configuration.tenant, now: now)
                let current = try signed.flatMap { $0.content == content ? $0 : nil } ?? sign(content)
                signed = current
                let number = draft.number(digits: challenge.digits)
                let record = try record(plan, challenge, rows: rows, draft: draft, signed: current)
                creation.approval = record
                report = ApprovalReport(record, content: content, number: number, now: now)
            }
            try await store.write { [creation] in try creation.commit(in: $0) }
            return (report, creation)
        }
        for replaced in creation.replaced { watch.changed(.approvalRequest(replaced.id)) }
        if creation.approval != nil { watch.changed(.account(parameters.account.text)) }
        if let approval = creation.approval { announce(approval) }
        metrics.count(.approvalRequests)
        logger.debug("approval requested", metadata: ["approval.status": "\(report.status.rawValue)"])
        await tick.wait()
        return report
    }

    private func sign(_ content: ApprovalRequestContent) throws -> SignedApproval {
        let signed = try content.signed(with: keys.signingKey(at: content.created))
        return SignedApproval(content: content, encoded: signed.encoded)
    }

    private func record(
        _ plan: ApprovalPlan, _ challenge: PolicyDecision.Challenge, rows: ApprovalRows, draft: ApprovalDraft,
        signed: SignedApproval
    ) throws -> ApprovalRecord {
        let parameters = draft.parameters
        var number: SealedValue?
        if let digits = draft.number(digits: challenge.digits) {
            number = try sealer.seal(
                SecretBytes(copying: digits.utf8), .approvalNumber, row: draft.id,
                owner: RowOwner(account: parameters.account.text), revision: 0)
        }
        var record = ApprovalRecord(
            id: draft.id, account: parameters.account.text, kind: parameters.kind, principal: parameters.principalID,
            requestID: draft.requestID, source: rows.source, address: rows.address,
            request: signed.encoded, requestHash: Array(SHA256.hash(data: signed.encoded)),
            acceptedMethods: Set([challenge.method] + challenge.fallbacks), number: number,
            isAnnounced: challenge.pushes == .allowed && rows.hasNotificationChannel, createdAt: signed.content.created,
            expiresAt: signed.content.expiry,
            keptUntil: signed.content.expiry.advanced(milliseconds: ApprovalRetention.unanswered))
        record.sessionID = parameters.sessionID.isEmpty ? nil : parameters.sessionID
        record.amount = parameters.amount.map { String($0.minorUnits) }
        record.currency = parameters.amount?.currency.code
        record.creditor = plan.creditor
        record.browser = plan.browser
        record.refusalNotice = parameters.refusalNotice
        record.deviceRules = plan.deviceRules
        return record
    }
}

/// An approval request and its signature, which a repeated decision uses again when it leads to the same request.
private struct SignedApproval {
    let content: ApprovalRequestContent
    let encoded: [UInt8]
}

/// The random parts of a new approval request. A repeated decision uses them again.
struct ApprovalDraft: Sendable {
    let parameters: ApprovalParameters
    let id: [UInt8]
    let requestID: String
    let decision: [UInt8]
    private let randomNumber: UInt64

    init(_ parameters: ApprovalParameters, random: any RandomSource) {
        self.parameters = parameters
        id = random.bytes(16)
        requestID = parameters.requestID ?? Hex.encode(random.bytes(16))
        decision = random.bytes(16)
        // The remainder of 64 random bits divided by 10^8 is uniform up to 2^-37.
        randomNumber = random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the number that the site shows; `nil` for no digits.
    func number(digits: Int) -> String? {
        guard digits > 0 else { return nil }
        let bound = (0..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
        let text = String(randomNumber % bound)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// Returns the content that the platform signs.
    func content(_ challenge: PolicyDecision.Challenge, tenant: String, now: Timestamp) -> ApprovalRequestContent {
        ApprovalRequestContent(
            tenant: tenant, account: parameters.account.text, id: id, kind: parameters.kind,
            sessionID: parameters.sessionID, requestID: requestID, display: parameters.display,
            approvalMethod: challenge.method, rejectionMethod: challenge.rejection, digits: challenge.digits,
            created: now, expiry: now.advanced(by: parameters.lifetime), decisionRecord: decision,
            principal: parameters.principal ?? ApprovalPrincipal(tenant: tenant))
    }
}

/// The transaction of a new approval request. It writes the request, the decision record, the risk state, the ends of
/// replaced requests and the audit entries together.
struct ApprovalCreation: Sendable {
    let rows: ApprovalRows
    let replaced: [ApprovalRecord]
    private let decision: PolicyDecisionRecord
    private let risk: AccountRiskRecord?
    private let entry: AuditEntry
    private let requestID: String
    private let principal: String
    private let now: Timestamp
    /// The request; `nil` when the policy decided without one.
    var approval: ApprovalRecord?

    init(
        _ plan: ApprovalPlan, rows: ApprovalRows, draft: ApprovalDraft, configuration: PlatformConfiguration,
        now: Timestamp
    ) {
        self.rows = rows
        self.now = now
        requestID = draft.requestID
        principal = draft.parameters.principalID
        let record = DecisionRecord(
            id: draft.decision, account: rows.name, situation: plan.situation, decision: plan.decision)
        decision = PolicyDecisionRecord(
            id: draft.decision, account: rows.name.text, createdAt: now, record: record.encoded,
            keptUntil: rows.account == nil
                ? now.advanced(by: draft.parameters.lifetime).advanced(milliseconds: ApprovalRetention.unanswered)
                : now.advanced(by: configuration.retention.receipts))
        var state = rows.risk ?? AccountRiskRecord(account: rows.name.text, state: [])
        let isChanged = state.state != plan.risk.encoded
        state.state = plan.risk.encoded
        let event: AuditEvent
        let reason: String
        switch plan.outcome {
        case .ends(.accepted, _): (event, reason) = (.approvalAccepted, plan.decision.rule)
        case .ends(_, let cause): (event, reason) = (.approvalRefused, cause?.rawValue ?? "")
        case .asks: (event, reason) = (.approvalRequested, draft.parameters.kind.description)
        }
        entry = AuditEntry(
            time: now, event: event, account: rows.account?.name, subject: rows.account?.subject, reason: reason,
            decision: draft.decision)
        risk = isChanged && rows.account != nil ? state : nil
        replaced =
            if case .asks(_, let replaced) = plan.outcome { replaced } else { [] }
    }

    /// Returns whether the request id of a previous request may name this one.
    private func isFree(afterEndOf earlier: ApprovalRecord) -> Bool {
        switch earlier.state(at: now) {
        case .pending: false
        case .approved where earlier.kind == .transaction: false
        default: earlier.createdAt < now
        }
    }

    /// Writes everything.
    ///
    /// - Throws: ``WriteConflict`` when a row changed since it was read; ``PlatformError`` with `requestIDInUse`.
    func commit(in store: StoreTransaction) throws {
        try store.require(rows.suspension)
        // 1. The account was neither created nor removed, and the pending requests are the same.
        let account = try store.account(rows.name.text)
        try requireWritten((account == nil) == (rows.account == nil))
        let pending = try store.pendingApprovals(of: rows.name.text).filter { $0.state(at: now) == .pending }
        try requireWritten(pending.map(\.id) == rows.pending.map(\.id))
        // 2. A request id names one pending request, and one transaction that the user has approved: a caller that
        // repeats a lost call gets no second approval. Otherwise the id may name a later request after the end. The
        // later request is then found. With a clock that was set back, it would not be later.
        let named = try ifUnaltered { try store.approval(requestID: requestID, of: principal) }?.kept(at: now)
        guard named.map({ isFree(afterEndOf: $0) }) ?? true else { throw PlatformError(.requestIDInUse) }
        // 3. The requests that this one replaces end.
        for record in replaced {
            try store.end(
                record, as: .replaced, keptUntil: now.advanced(milliseconds: ApprovalRetention.unanswered), at: now)
        }
        if let approval { try requireWritten(store.insert(approval)) }
        try requireWritten(store.insert(decision))
        if let risk { try requireWritten(rows.risk == nil ? store.insert(risk) : store.update(risk)) }
        try store.append(entry)
    }
}

extension StoreTransaction {
    /// Ends a pending request without an answer.
    ///
    /// - Throws: ``WriteConflict`` when the row changed since it was read.
    func end(
        _ record: ApprovalRecord, as state: ApprovalState, notice: RefusalNotice? = nil, keptUntil: Timestamp,
        at now: Timestamp
    ) throws {
        var ended = record
        ended.state = state
        ended.notice = notice
        ended.refusalNotice = nil
        ended.number = nil
        ended.endedAt = now
        ended.keptUntil = keptUntil
        try requireWritten(update(ended))
        // The name of an account that does not exist was typed by a stranger, and is not logged.
        let owner = try account(record.account)
        let entry = AuditEntry(
            time: now, event: .approvalEnded, account: owner?.name, subject: owner?.subject, reason: state.rawValue,
            // No caller causes an expiry, although one may notice it.
            actor: state == .expired ? .platform : nil, decision: try? record.content().decisionRecord)
        try append(entry)
    }
}

extension ApprovalParameters {
    /// Whether every value is within its limits.
    var isValid: Bool {
        return Self.lifetimes.contains(lifetime) && lifetime == .milliseconds(lifetime.wholeMilliseconds)
            && requestID.map(Self.isRequestID) ?? true
            && sessionID.utf8.count <= Self.maximumSessionIDBytes && DisplayText.hasAllowedCharacters(sessionID)
            && kind != .seal && (kind == .login || !display.fields.isEmpty)
            && (display.amount == nil || risk.amount == nil || display.amount == risk.amount)
    }

    /// Whether a text can be a request id.
    static func isRequestID(_ text: String) -> Bool {
        requestIDByteCounts.contains(text.utf8.count) && DisplayText.hasAllowedCharacters(text)
    }
}
