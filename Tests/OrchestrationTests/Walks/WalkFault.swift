/// A fault of one exchange: by the network, by an attacker on it, or by the end of a process.
enum WalkFault: String, CaseIterable, Sendable {
    case requestLost
    case answerLost
    case duplicated
    /// The request arrives later than the sender waits.
    case heldBack
    case delayed
    case requestCorrupted
    case answerCorrupted
    /// An answer to another request arrives.
    case foreignAnswer
    /// An unauthenticated refusal of the same session, which the platform did not make.
    case refusalForged
    case clientCrashesBefore
    case clientCrashesAfter
}
