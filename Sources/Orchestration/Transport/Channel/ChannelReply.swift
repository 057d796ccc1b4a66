internal import OrchestrationProtocol

/// The result of an exchange over the channel.
struct ChannelReply: Sendable {
    /// The content of an accepted message.
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

    /// The key statements in the answer. Those before the device's own statement are not verified.
    let statements: [SignatureList]
}

/// A refusal under the platform's seal.
struct ChannelRefusal: Sendable, Hashable {
    let code: RefusalCode
    let remainingTries: Int?
    let retryAfter: Duration?
    /// The notice of the application server beside the refusal.
    let notice: RefusalNotice?

    init(_ refusal: Refusal, notice: RefusalNotice? = nil) {
        self.notice = notice
        code = refusal.code
        remainingTries = refusal.remainingTries.map { Int(clamping: $0) }
        retryAfter = refusal.retryAfter.map { .milliseconds(Int64(clamping: $0)) }
    }

    /// The reason that the app gets for an approval request that does not wait any more; `nil` for another refusal.
    var outdated: OutdatedReason? {
        switch code {
        case .approvalExpired: .expired
        case .approvalAnswered: .answered
        case .approvalReplaced: .replaced
        case .approvalCanceled: .canceled
        case .approvalUnknown: .unknown
        default: nil
        }
    }

    /// The cause that the app gets.
    var cause: AbortCause {
        switch code {
        case .locked: .locked
        case .ratchetOutdated, .generationOutdated, .cloneSuspected: .cloneSuspected
        case .revoked: .revoked
        case .suspended: .suspended
        case .rateLimited: .rateLimited(retryAfter: retryAfter)
        case .wrongNumber: .wrongNumber
        case .methodRefused: .methodRefused
        default: .refused(code: code.rawValue)
        }
    }

    /// The last events of a flow that ends by the refusal.
    var end: [FlowEvent] {
        (notice.map { [.noticeReceived($0)] } ?? []) + [outdated.map(FlowEvent.outdated) ?? .aborted(cause)]
    }
}
