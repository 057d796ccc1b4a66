/// What a network, an attacker on it, or the end of a process does to one exchange.
enum WalkFault: String, CaseIterable, Sendable {
    case requestLost
    case answerLost
    case duplicated
    /// Lost for the sender; arrives some time later.
    case heldBack
    case delayed
    case requestCorrupted
    case answerCorrupted
    /// An answer to something else arrives instead.
    case foreignAnswer
    /// An unauthenticated refusal of this very session that the platform never made.
    case refusalForged
    case clientDiesBefore
    case clientDiesAfter
}
