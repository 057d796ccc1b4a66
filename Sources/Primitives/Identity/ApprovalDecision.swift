/// The decision of a user about an approval request.
public enum ApprovalDecision: Sendable, Hashable {
    /// The user approved what was shown.
    case approved
    /// The user rejected it.
    case rejected(RejectionReason)
}

/// The platform's decision about the answer to an approval request, as the receipt states it. The raw value is the
/// number in receipts and stores.
@nonexhaustive
public enum ApprovalOutcome: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// The user rejected the request.
    case rejected = 0
    /// The user approved the request, and the platform accepted the approval.
    case approved = 1
    /// The user approved the request and typed a number that is not the matching number.
    case wrongNumber = 2
    /// The policy does not accept the method of the answer.
    case methodRefused = 3

    /// The name of the case, for example `approved`.
    public var description: String {
        switch self {
        case .rejected: "rejected"
        case .approved: "approved"
        case .wrongNumber: "wrongNumber"
        case .methodRefused: "methodRefused"
        }
    }
}
