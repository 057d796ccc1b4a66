internal import OrchestrationProtocol

/// The result of an exchange over the channel.
struct ChannelReply: Sendable {
    /// The content of the answer to an accepted message.
    struct Acceptance: Sendable {
        /// The SHA-256 of the platform's signed answer, its receipt.
        let receipt: [UInt8]
        /// The body of the answer.
        let body: AnswerBody
        /// The offset of the platform's clock after the answer.
        let offset: ClockOffset
    }

    enum Result: Sendable {
        case accepted(Acceptance)
        case refused(ChannelRefusal)
    }

    let result: Result

    /// The record after an accepted answer was applied; after a refusal, the record that the request was made from.
    let record: UserRecord

    /// The command that was sent last.
    let command: OrchestrationCommand

    /// The warnings for the app.
    let warnings: [Warning]

    /// The key statements in the answer. Statements before the device's own one are not verified.
    let statements: [SignatureList]

    /// Returns the answer to an accepted message, and the clock offset after it.
    ///
    /// - Throws: The error of a refusal; `invalidAnswer` for the answer to another message.
    func answer<Message: ChannelMessage>(
        to message: Message.Type
    ) throws(OrchestrationError) -> (answer: Message.Answer, offset: ClockOffset) {
        switch result {
        case .refused(let refusal): throw refusal.error
        case .accepted(let acceptance):
            guard let answer = acceptance.body.answer(to: message) else { throw OrchestrationError(.invalidAnswer) }
            return (answer, acceptance.offset)
        }
    }
}

/// A refusal under the platform's seal.
struct ChannelRefusal: Sendable, Hashable {
    let code: RefusalCode
    let remainingTries: Int?
    let retryAfter: Duration?
    /// The application server's notice next to the refusal.
    let notice: RefusalNotice?

    init(_ refusal: Refusal, notice: RefusalNotice? = nil) {
        self.notice = notice
        code = refusal.code
        remainingTries = refusal.remainingTries.map { Int(clamping: $0) }
        retryAfter = refusal.retryAfter.map { .milliseconds(Int64(clamping: $0)) }
    }

    /// The error that the app gets. With the last try the platform has locked the device.
    var error: OrchestrationError {
        let isLocked = code == .wrongPassword && remainingTries == 0
        return OrchestrationError(isLocked ? .userLocked : OrchestrationError.Code(code), self)
    }

    /// The last event of a flow that ends with the refusal.
    var end: [FlowEvent] { [.ended(error)] }
}

extension OrchestrationError.Code {
    /// Creates the code for a refusal of the platform.
    init(_ refusal: RefusalCode) {
        self =
            switch refusal {
            case .locked: .userLocked
            case .ratchetOutdated, .generationOutdated, .cloneSuspected: .cloneSuspected
            case .revoked: .revoked
            case .suspended: .suspended
            case .rateLimited: .rateLimited
            case .wrongNumber: .wrongNumber
            case .methodRefused: .methodRefused
            case .pendingExpired: .activationExpired
            case .unlockCodeRefused: .unlockCodeRefused
            case .approvalExpired: .approvalExpired
            case .approvalAnswered: .approvalAnswered
            case .approvalReplaced: .approvalReplaced
            case .approvalCanceled: .approvalCanceled
            case .approvalUnknown: .approvalUnknown
            case .wrongPassword, .expired, .wrongReceipt, .malformed, .generationUnknown, .ratchetUnknown,
                .notPermitted, .ratchetBehind, .keysOutdated, .methodUnknown, .deviceDataUnknown:
                .refused
            default: .refusalUnknown
            }
    }
}
