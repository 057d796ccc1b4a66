internal import OrchestrationProtocol
internal import Primitives

/// The end of an approval request by an answer.
struct ApprovalEnd: Sendable {
    /// The request as it was read.
    let record: ApprovalRecord
    let content: ApprovalRequestContent
    let answer: SignedApprovalAnswer
    let outcome: ApprovalOutcome
    /// The method whose secret made the proof, or possession for a method of a software provider that the policy does
    /// not name.
    let verified: AuthenticationMethod
    /// The risk state of the account before the answer, and its row.
    let risk: RiskState
    let riskRow: AccountRiskRecord?

    /// Returns the platform's statement about the answer.
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

    /// The refusal that the device gets; `nil` if it gets the receipt.
    var refusal: RefusalCode? { Self.refusal(of: state) }

    /// Returns the refusal that the device gets for an answer that led to a state; `nil` if it gets the receipt.
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
            return .rejected(reason, isProven: verified != .possession)
        case .methodRefused: return nil
        }
    }
}
