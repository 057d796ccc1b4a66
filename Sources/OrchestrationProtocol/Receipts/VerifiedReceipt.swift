public import Primitives

/// The content of a verified receipt.
///
/// ``Receipt/verify(with:)`` alone creates values of this type.
public struct VerifiedReceipt: Sendable, Hashable {
    /// The tenant of the platform.
    public let tenant: String

    /// The account as `user@domain`.
    public let account: String

    /// The id of the device that answered, 16 bytes.
    public let deviceID: [UInt8]

    /// The public key that signed the answer: P-256, compressed, 33 bytes. It is the key of the device, or of its
    /// biometric or face method (``method``).
    ///
    /// Compare it with the key in a previous receipt of the same ``deviceID`` and ``method``. A thief of the platform's
    /// database and master key can make receipts, but those receipts name another key.
    public let deviceKey: [UInt8]

    /// The id of the approval request, 16 bytes.
    public let approvalID: [UInt8]

    /// The kind of the approval request.
    public let kind: ApprovalKind

    /// The application server that asked, as the user saw it.
    public let principal: ApprovalPrincipal

    /// The session id of the application server; `nil` if it provided none.
    public let sessionID: String?

    /// The request id of the application server, or of the platform if the server provided none.
    public let requestID: String

    /// The data that the user saw. A field of a type that this version does not know is a `DisplayField.unknown`.
    public let display: DisplayData

    /// The decision of the user.
    public let decision: ApprovalDecision

    /// The platform's decision about the answer.
    public let outcome: ApprovalOutcome

    /// The digits that the user typed; `nil` if none were requested.
    public let number: String?

    /// The method that the platform asked for.
    public let requestedMethod: AuthenticationMethod

    /// The method in the answer of the device.
    public let method: AuthenticationMethod

    /// The reason why the method differs from the requested one; `nil` for the requested method.
    public let fallback: FallbackReason?

    /// The method whose proof the platform verified; `nil` if there was no proof.
    public let verifiedMethod: AuthenticationMethod?

    /// The time at which the platform made the approval request.
    public let created: Timestamp

    /// The time until which the request could be answered.
    public let expiry: Timestamp

    /// The time of the answer by the device's estimate of the platform's clock.
    public let answered: Timestamp

    /// The time at which the platform decided.
    public let decided: Timestamp

    /// The id of the decision record of the policy, 16 bytes; `nil` if there is none.
    public let decisionRecord: [UInt8]?

    /// The names of the algorithms of signatures that were not checked, because this version does not know them.
    public let uncheckedAlgorithms: [String]

    init(_ content: ReceiptContent, uncheckedAlgorithms: [COSEAlgorithm]) {
        let (request, answer, confirmation) = (content.request, content.answer, content.confirmation)
        tenant = request.tenant
        account = request.account
        deviceID = confirmation.deviceID
        deviceKey = confirmation.deviceKey
        approvalID = request.id
        kind = request.kind
        principal = request.principal
        sessionID = request.sessionID.isEmpty ? nil : request.sessionID
        requestID = request.requestID
        display = request.display
        decision = answer.decision
        outcome = confirmation.outcome
        number = answer.number
        requestedMethod =
            switch answer.decision {
            case .approved: request.approvalMethod
            case .rejected: request.rejectionMethod
            }
        method = answer.method
        fallback = answer.fallback
        verifiedMethod = confirmation.verifiedMethod
        created = request.created
        expiry = request.expiry
        answered = answer.time
        decided = confirmation.time
        decisionRecord = confirmation.decisionRecord
        self.uncheckedAlgorithms = uncheckedAlgorithms.map(\.description)
    }
}
