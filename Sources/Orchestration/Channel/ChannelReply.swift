internal import Wire

/// How an exchange over the channel ended.
struct ChannelReply: Sendable {
    /// What an accepted message brought.
    struct Acceptance: Sendable {
        /// SHA-256 of the platform's signed answer: its receipt.
        let receipt: [UInt8]
        /// The clock after the answer.
        let offset: ClockOffset
    }

    enum Result: Sendable {
        case accepted(Acceptance)
        case refused(ChannelRefusal)
    }

    let result: Result

    /// The record after the answer was applied.
    let record: UserRecord

    /// The command that left last.
    let command: OrchestrationCommand

    /// What to tell the app.
    let warnings: [Warning]
}
