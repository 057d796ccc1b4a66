internal import OrchestrationProtocol
internal import Primitives

/// The answer to an approval request that the platform has accepted, with its receipt.
public struct AnsweredApproval: Sendable, Redacted {
    /// The approval request.
    public let id: ApprovalID

    /// The user who has answered.
    public let account: AccountName

    /// The decision of the user.
    public let decision: ApprovalDecision

    /// The receipt. A third party can verify it with the platform's published keys. Store it where the user may have to
    /// prove the decision; the device keeps no copy.
    public let receipt: Receipt

    /// The content of the receipt. The device has verified the platform's signatures over the request and the
    /// confirmation, its own signature over the answer, and that all belong together.
    public let statement: VerifiedReceipt

    /// The decision, without what the user approved.
    public var description: String {
        switch decision {
        case .approved: "approved"
        case .rejected(let reason): "rejected (\(reason))"
        }
    }

    /// Creates the result from a receipt that the platform has returned for an answer.
    ///
    /// 1. The receipt contains the answer that the device has sent, byte for byte. This check stops an answer that the
    ///    user did not give.
    /// 2. The confirmation names the key of this device. This check stops a receipt for another key under which the
    ///    signature happens to verify.
    /// 3. The receipt verifies with the platform's keys. The hash in the answer binds the approval request, which
    ///    includes the tenant and the account.
    /// 4. The outcome is the user's decision.
    ///
    /// - Parameters:
    ///   - acceptance: The answer of the platform, with the receipt.
    ///   - answer: The answer that the device has sent.
    ///   - deviceKey: The public key that signs the answers without an enrolled method.
    ///   - keys: The keys that verify the receipt: the keys of the latest statement, or of all statements.
    /// - Throws: `invalidAnswer`.
    init(
        _ acceptance: ChannelReply.Acceptance, to answer: PendingAnswer, of account: AccountName, deviceKey: [UInt8],
        keys: some SigningKeySource
    ) throws(OrchestrationError) {
        guard let parts = acceptance.body.answer(to: ApprovalAnswerMessage.self)?.receipt,
            parts.answer.encoded == answer.answer,
            let confirmation = try? ReceiptConfirmation(decoding: parts.confirmation.payload),
            confirmation.deviceKey == answer.methodKey ?? deviceKey
        else { throw OrchestrationError(.invalidAnswer) }
        let receipt = Receipt(parts)
        let statement: VerifiedReceipt
        do throws(ReceiptError) {
            statement = try receipt.verify(with: keys)
        } catch {
            throw OrchestrationError(.invalidAnswer, underlying: error)
        }
        switch (statement.decision, statement.outcome) {
        case (.approved, .approved), (.rejected, .rejected): break
        case (_, _): throw OrchestrationError(.invalidAnswer)
        }
        id = ApprovalID(checked: answer.id)
        self.account = account
        decision = statement.decision
        self.receipt = receipt
        self.statement = statement
    }
}
