public import OrchestrationProtocol
public import Primitives

/// The state of an approval, as the platform reports it to the caller that requested it.
public struct ApprovalReport: Sendable, Hashable {
    /// The status of an approval.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// It waits for an answer of a device.
        case pending
        /// The user approved it, or the policy accepted it without an approval.
        case accepted
        /// The user, the policy or the application server ended it without an acceptance.
        case refused
        /// It expired without an answer.
        case timeout
    }

    /// The reason of a refusal. The raw values are the words of the REST API.
    public enum DeclineReason: String, Sendable, Hashable, CaseIterable {
        /// The user did not start it.
        case notMe
        /// The user no longer wants it, or the application server canceled it.
        case canceled
        /// The display data was not what the user wanted.
        case wrongData
        /// The user typed another number than the site showed.
        case wrongNumber
        /// The user answered by a method that the policy does not accept.
        case methodRefused
        /// A newer login replaced it.
        case replaced
        /// The policy refused it.
        case policy
        /// The account has the maximum number of pending requests.
        case tooManyPending
    }

    /// The id of the approval request, 16 bytes; `nil` when the policy decided without one.
    public let id: [UInt8]?
    /// The request id that the caller or the platform has chosen.
    public let requestID: String
    /// The name of the account.
    public let account: String
    /// The kind of the request.
    public let kind: ApprovalKind
    /// The status.
    public let status: Status
    /// The reason of a refusal; `nil` for every other status.
    public let declineReason: DeclineReason?
    /// The method by which the user approves; `nil` when the policy decided without an approval request.
    public let method: AuthenticationMethod?
    /// The pointer to the approval request, for a push message or a QR code; `nil` when the policy decided without one.
    /// It grants no access.
    public let pointer: OrchestrationCommand?
    /// The number that the site shows while the request is pending; `nil` for none. The user types it in the app.
    public let numberToMatch: String?
    /// The time until which the request can be answered, by the platform's clock; `nil` when the policy decided without
    /// one.
    public let expiresAt: Timestamp?
    /// Whether a device has fetched the request.
    public let isOpened: Bool
    /// The receipt, at most 12,288 bytes, once a device has answered; `nil` before that.
    public let receipt: [UInt8]?
    /// The method whose proof the platform has verified; `nil` before a device has answered.
    public let verifiedMethod: AuthenticationMethod?
    /// The signed reason why the device has answered by another method than ``method``; `nil` if it has not.
    public let fallback: FallbackReason?
    /// The id of the policy's decision record, 16 bytes; `nil` if there is none.
    public let decision: [UInt8]?

    /// Creates the report of a decision without an approval request.
    init(
        _ parameters: ApprovalParameters, requestID: String, status: Status, reason: DeclineReason? = nil,
        decision: [UInt8]?
    ) {
        id = nil
        self.requestID = requestID
        account = parameters.account.text
        kind = parameters.kind
        self.status = status
        declineReason = reason
        method = nil
        pointer = nil
        numberToMatch = nil
        expiresAt = nil
        isOpened = false
        receipt = nil
        verifiedMethod = nil
        fallback = nil
        self.decision = decision
    }

    /// Creates the report of an approval request.
    ///
    /// - Parameters:
    ///   - content: The signed content.
    ///   - number: The number that the site shows, opened; `nil` for none, and for a request that is not pending.
    init(_ record: ApprovalRecord, content: ApprovalRequestContent, number: String?, now: Timestamp) {
        let state = record.state(at: now)
        id = record.id
        requestID = record.requestID
        account = record.account
        kind = record.kind
        status = Status(state)
        declineReason = DeclineReason(state, reason: record.reason)
        method = content.approvalMethod
        pointer = ApprovalPointer(tenant: content.tenant, id: record.id).command
        numberToMatch = state == .pending ? number : nil
        expiresAt = record.expiresAt
        isOpened = record.openedAt != nil
        receipt = record.receipt
        let parts = record.receipt.flatMap { try? ReceiptParts(decoding: $0) }
        verifiedMethod = parts.flatMap { try? ReceiptConfirmation(decoding: $0.confirmation.payload) }?.verifiedMethod
        fallback = parts.flatMap { try? ApprovalAnswerContent(decoding: $0.answer.payload) }?.fallback
        decision = content.decisionRecord
    }
}

extension ApprovalReport: Redacted {
    /// The status without the number.
    public var description: String { "approval \(status.rawValue)" }
}

extension ApprovalRecord {
    /// Returns the state at a time. A request that has not ended otherwise is expired from its expiry on.
    func state(at now: Timestamp) -> ApprovalState { state == .pending && now >= expiresAt ? .expired : state }

    /// Returns the request while the platform keeps it, and `nil` afterwards: its row may still be there, because the
    /// maintenance removes it later.
    func kept(at now: Timestamp) -> ApprovalRecord? { now < keptUntil ? self : nil }
}

extension ApprovalReport.Status {
    init(_ state: ApprovalState) {
        switch state {
        case .pending: self = .pending
        case .approved: self = .accepted
        case .rejected, .wrongNumber, .methodRefused, .replaced, .canceled: self = .refused
        case .expired: self = .timeout
        }
    }
}

extension ApprovalReport.DeclineReason {
    init?(_ state: ApprovalState, reason: RejectionReason?) {
        switch state {
        case .pending, .approved, .expired: return nil
        case .wrongNumber: self = .wrongNumber
        case .methodRefused: self = .methodRefused
        case .replaced: self = .replaced
        case .canceled: self = .canceled
        case .rejected:
            switch reason {
            case .notMe: self = .notMe
            case .wrongData: self = .wrongData
            case .canceled, nil: self = .canceled
            }
        }
    }
}
