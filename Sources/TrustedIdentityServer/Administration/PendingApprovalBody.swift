internal import OrchestrationProtocol
internal import Primitives
internal import TrustedIdentity

/// A pending approval request, as `approval show` prints it.
package struct PendingApprovalBody: Codable, Sendable {
    /// 32 hexadecimal digits.
    package let id: String
    package let user: String
    package let kind: String
    package let createdAt: String
    package let expiresAt: String
    /// The pointer to the request, for a QR code.
    package let qrText: String

    init(_ approval: ApprovalSummary) {
        id = Hex.encode(approval.id)
        user = approval.account
        kind = "\(approval.kind)"
        createdAt = approval.createdAt.rfc3339
        expiresAt = approval.expiresAt.rfc3339
        qrText = approval.pointer.qrText
    }
}
