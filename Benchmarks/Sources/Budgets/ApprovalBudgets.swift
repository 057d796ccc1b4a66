import OrchestrationProtocol
import Primitives
import TestSupport

/// The lengths of the signed parts of an approval in bytes, and of its pointer in a QR code in characters: tenant
/// `default`, account `alice@master`, ids of the application server with 36 characters, and four fields whose label and
/// value have 16 ASCII characters each. No command is sent; the budgets of the flows count the commands.
func approvalBudgets() {
    let figures = ["Pointer-bytes", "Pointer-Base45", "Request-bytes", "Answer-bytes", "Receipt-bytes"]
    Budget.benchmark("budget-approval-forms", figures) { budget in
        let parts = try await ApprovalForms.receipt()
        let pointer = ApprovalPointer(tenant: "default", id: ApprovalForms.id(1)).command
        budget.enter("Pointer-bytes", pointer.bytes.count)
        budget.enter("Pointer-Base45", pointer.qrText.utf8.count)
        budget.enter("Request-bytes", parts.request.encoded.count)
        budget.enter("Answer-bytes", parts.answer.encoded.count)
        budget.enter("Receipt-bytes", parts.encoded.count)
    }
}

private enum ApprovalForms {
    static func id(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 16) }

    /// Returns a receipt of an approval with a number of six digits. The bytes of the device's signature are not one:
    /// only their number counts.
    static func receipt() async throws -> ReceiptParts {
        let key = try SigningKeyPair(privateRepresentation: SeededRandom(1).secret(32))
        let created = Timestamp(millisecondsSinceEpoch: 1_790_000_000_000)
        let request = try request(created: created).signed(with: key)
        let answer = try await ApprovalAnswerContent(
            deviceID: id(2), requestHash: request.digest, method: .password, decision: .approved, number: "042917",
            time: created.advanced(seconds: 9)
        ).signed { _ in [UInt8](repeating: 1, count: 64) }
        let confirmation = ReceiptConfirmation(
            tenant: "default", account: "alice@master", deviceID: id(2), deviceKey: [UInt8](repeating: 2, count: 33),
            requestHash: request.digest, answerHash: answer.digest, verifiedMethod: .password, outcome: .approved,
            time: created.advanced(seconds: 10), decisionRecord: id(3))
        return ReceiptParts(request: request, answer: answer, confirmation: try confirmation.signed(with: [key]))
    }

    private static func request(created: Timestamp) throws -> ApprovalRequestContent {
        let text = String(repeating: "x", count: 16)
        return ApprovalRequestContent(
            tenant: "default", account: "alice@master", id: id(1), kind: .transaction,
            sessionID: String(repeating: "s", count: 36), requestID: String(repeating: "r", count: 36),
            display: try DisplayData([DisplayField](repeating: .field(label: text, value: text), count: 4)),
            approvalMethod: .password, rejectionMethod: .possession, digits: 6, created: created,
            expiry: created.advanced(seconds: 120), decisionRecord: id(3),
            principal: try ApprovalPrincipal(id: "0123456789abcdef", name: "Example Shop"))
    }
}
