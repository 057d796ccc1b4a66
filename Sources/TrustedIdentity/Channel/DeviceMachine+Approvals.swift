internal import Primitives
internal import SecureChannel
internal import Wire

// Approvals: the list, the request itself, and its answer.
extension DeviceMachine {
    func listApprovals(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        let pending = request.approval.pending.prefix(FieldLimit.approvals).map {
            PendingApproval(
                id: $0.id, kind: $0.kind, created: $0.createdAt, expiry: $0.expiresAt, isAnnounced: $0.isAnnounced)
        }
        return accept(.approvalList(pending), row, moveTo: moveTo)
    }

    func fetchApproval(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        guard let record = request.approval.record else { return refuse(.approvalUnknown, row, moveTo: moveTo) }
        if let refusal = refusalOfEnded(record) { return refuse(refusal, of: record, row, moveTo: moveTo) }
        guard let signed = try? Sign1(decoding: record.request) else {
            return refuse(.approvalUnknown, row, moveTo: moveTo)
        }
        var decision = accept(.approvalFetch(signed), row, moveTo: moveTo)
        if record.openedAt == nil {
            var opened = record
            opened.openedAt = request.now
            decision.effects.append(.openApproval(opened))
        }
        return decision
    }

    /// Decides on an answer. The order of the checks is part of the protocol; the article "Approval requests and
    /// answers" lists it.
    func answerApproval(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        let input = request.approval
        // 1. The key of the method has signed the answer, and the answer names the device. An answer that has ended its
        // request is answered as before, also when its keys have ended since.
        if input.isMethodUnknown {
            guard let ended = input.record else { return refuse(.methodUnknown, row, moveTo: moveTo) }
            return repeatEnd(of: ended, row, moveTo: moveTo)
        }
        guard let answer = input.answer else { return refuse(.malformed, row, moveTo: moveTo) }
        // 2. The hash names a pending request of this account, or one that this answer has ended.
        guard let record = input.record, let content = input.content else {
            return refuse(.approvalUnknown, row, moveTo: moveTo)
        }
        if record.device == device.id, record.answerHash == answer.hash {
            return repeatEnd(of: record, row, moveTo: moveTo)
        }
        if let refusal = refusalOfEnded(record) { return refuse(refusal, of: record, row, moveTo: moveTo) }
        // 3. The answer has the members that the request asks for.
        let instance = Instance(of: answer.content.method)
        guard answer.content.isComplete(for: content) else { return refuse(.malformed, row, moveTo: moveTo) }
        // 4. The time of the answer is right, and not after the expiry.
        let distance = answer.content.time.milliseconds(since: request.now).magnitude
        guard distance <= UInt64(ChannelRequest.maximumLifetime) else { return refuse(.malformed, row, moveTo: moveTo) }
        guard answer.content.time < record.expiresAt else { return refuse(.approvalExpired, row, moveTo: moveTo) }
        // 5. The platform knows the data of the device where the policy reads them. A hash that it does not know would
        //    hide
        // what the policy refuses. The request stays, and the device sends its data in full.
        if answer.content.decision == .approved, record.deviceRules != nil, request.deviceData == .unknownHash {
            return refuse(.deviceDataUnknown, row, moveTo: moveTo)
        }
        // 6. The proof, which is of the instance of the method.
        switch request.proof {
        case .right(instance): break
        case .wrong(.password) where instance == .password: return countFailure(row, moveTo: moveTo)
        case .absent, .right, .wrong, .otherGeneration, .outdatedGeneration:
            return refuse(.malformed, row, moveTo: moveTo)
        }
        let proven = instance == .password ? proven(row) : row
        let verified = proven.verifiedMethod(
            of: instance, acceptsDevelopment: request.acceptsDevelopmentProviders)
        return end(record, content, answer, verified: verified, proven, moveTo: moveTo)
    }

    /// Checks the method and the number, and ends the request.
    private func end(
        _ record: ApprovalRecord, _ content: ApprovalRequestContent, _ answer: SignedApprovalAnswer,
        verified: AuthenticationMethod, _ row: DeviceRecord, moveTo: UInt64
    ) -> DeviceDecision {
        let outcome: ApprovalOutcome
        // 7. The policy accepts the method whose secret made the proof.
        let isAccepted =
            record.acceptedMethods.contains(verified)
            || (answer.content.decision != .approved && verified == content.rejectionMethod)
        // In the strict mode the user types a number, also for a request from before it began.
        let isTooWeak =
            request.approval.risk.isStrict(at: request.now) && (content.digits == 0 || verified == .possession)
        // 8. So do the rules on device data, for every value that is not known.
        let isDeviceRefused = !acceptsDevice(record, content, verified)
        if !isAccepted || ((isTooWeak || isDeviceRefused) && answer.content.decision == .approved) {
            outcome = .methodRefused
        } else if answer.content.decision != .approved {
            outcome = .rejected
        } else if content.digits > 0, !request.approval.isNumberRight {
            // 9. The number is that of the site.
            outcome = .wrongNumber
        } else {
            outcome = .approved
        }
        let end = ApprovalEnd(record: record, content: content, answer: answer, outcome: outcome, verified: verified)
        // The result of an approval or a rejection is the receipt, which the platform signs and puts here.
        var decision = refuse(end.refusal ?? .approvalAnswered, row, moveTo: moveTo)
        if outcome == .methodRefused { decision.notice = record.refusalNotice }
        decision.event = .approvalAnswered
        // The audit log says when the device data alone are the reason.
        decision.reason =
            outcome == .methodRefused && isAccepted && !isTooWeak ? "deviceDataRefused" : outcome.description
        decision.approvalEnd = end
        return decision
    }

    /// Refuses a message about a request that has ended. A canceled one may have a notice, and so may one whose answer
    /// the policy has refused.
    private func refuse(
        _ code: RefusalCode, of record: ApprovalRecord, _ row: DeviceRecord, moveTo: UInt64
    ) -> DeviceDecision {
        var decision = refuse(code, row, moveTo: moveTo)
        switch code {
        case .approvalCanceled: decision.notice = record.notice
        case .methodRefused: decision.notice = record.refusalNotice
        default: break
        }
        return decision
    }

    /// Returns whether the rules that depend on device data accept an approval of this device. Rules that cannot be
    /// read accept none.
    private func acceptsDevice(
        _ record: ApprovalRecord, _ content: ApprovalRequestContent, _ verified: AuthenticationMethod
    ) -> Bool {
        guard let encoded = record.deviceRules else { return true }
        guard let rules = try? DeviceRules(decoding: encoded) else { return false }
        return rules.accepts(verified, digits: content.digits, from: request.deviceData.values)
    }

    /// Returns the refusal of a message about a request that has ended; `nil` for one that waits.
    ///
    /// An answer under way while the platform was restored may have ended the request before, with a receipt that the
    /// backup does not contain.
    private func refusalOfEnded(_ record: ApprovalRecord) -> RefusalCode? {
        if let restoredAt = request.restoredAt, record.createdAt <= restoredAt, record.state == .pending {
            return .approvalExpired
        }
        switch record.state(at: request.now) {
        case .pending: return nil
        case .approved, .rejected, .wrongNumber, .methodRefused: return .approvalAnswered
        case .expired: return .approvalExpired
        case .replaced: return .approvalReplaced
        case .canceled: return .approvalCanceled
        }
    }

    /// Answers a repetition of the answer that has ended a request as the first one was answered.
    private func repeatEnd(of record: ApprovalRecord, _ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        if let refusal = ApprovalEnd.refusal(of: record.state) {
            return refuse(refusal, of: record, row, moveTo: moveTo)
        }
        guard let receipt = record.receipt.flatMap({ try? ReceiptParts(decoding: $0) }) else {
            return refuse(.approvalAnswered, row, moveTo: moveTo)
        }
        return accept(.approvalAnswer(receipt), row, moveTo: moveTo)
    }
}

/// The end of an approval request by an answer.
struct ApprovalEnd: Sendable, Equatable {
    /// The request as it was read.
    let record: ApprovalRecord
    let content: ApprovalRequestContent
    let answer: SignedApprovalAnswer
    let outcome: ApprovalOutcome
    /// The method whose secret made the proof, or possession for one of a development provider that the policy does not
    /// name.
    let verified: AuthenticationMethod

    /// Returns what the platform states about the answer.
    func confirmation(of device: DeviceRecord, at now: Timestamp) -> ReceiptConfirmation {
        ReceiptConfirmation(
            tenant: content.tenant, account: content.account, deviceID: device.id, deviceKey: answer.key,
            requestHash: record.requestHash, answerHash: answer.hash, verifiedMethod: verified, outcome: outcome,
            time: now, decisionRecord: content.decisionRecord)
    }

    /// Returns the row with the end in it.
    func ended(receipt: [UInt8], keptUntil: Timestamp, device: DeviceRecord, at now: Timestamp) -> ApprovalRecord {
        var ended = record
        ended.state = state
        ended.number = nil
        // A repetition of the answer gets the same refusal.
        if outcome != .methodRefused { ended.refusalNotice = nil }
        ended.endedAt = now
        ended.device = device.id
        ended.answerHash = answer.hash
        if case .rejected(let reason) = answer.content.decision { ended.reason = reason }
        ended.receipt = receipt
        ended.keptUntil = keptUntil
        return ended
    }

    private var state: ApprovalState {
        switch outcome {
        case .rejected: .rejected
        case .approved: .approved
        case .wrongNumber: .wrongNumber
        case .methodRefused: .methodRefused
        }
    }

    /// The refusal that the device gets; `nil` where it gets the receipt.
    var refusal: RefusalCode? { Self.refusal(of: state) }

    /// Returns the refusal that the device gets for an answer that led to a state; `nil` where it gets the receipt.
    static func refusal(of state: ApprovalState) -> RefusalCode? {
        switch state {
        case .wrongNumber: .wrongNumber
        case .methodRefused: .methodRefused
        case .pending, .approved, .rejected, .expired, .replaced, .canceled: nil
        }
    }

    /// The change of the risk state; `nil` for none.
    var riskEvent: RiskState.Event? {
        switch outcome {
        case .approved where verified != .possession:
            return .approvedStrongly(creditor: record.creditor, browser: record.browser)
        case .approved: return record.kind == .transaction ? .paidByPossession(record.monetaryAmount) : nil
        case .wrongNumber: return .wrongNumber
        case .rejected:
            guard case .rejected(let reason) = answer.content.decision else { return nil }
            return .rejected(reason)
        case .methodRefused: return nil
        }
    }
}

extension SignedApprovalAnswer: Equatable {
    static func == (a: Self, b: Self) -> Bool { a.hash == b.hash }
}
