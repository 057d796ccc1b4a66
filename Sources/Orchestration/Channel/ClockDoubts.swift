internal import Primitives
internal import Synchronization

/// What single answers said about the platform's clock, until a second one agrees. Kept for the life of the
/// orchestrator and no longer: an unconfirmed time has no place in the store.
final class ClockDoubts: Sendable {
    private let candidates = Mutex<[AccountName: Int64]>([:])

    /// The doubt about a user's clock, with what the store holds.
    func offset(of account: AccountName, stored: Int64) -> ClockOffset {
        ClockOffset(milliseconds: stored, candidate: candidates.withLock { $0[account] })
    }

    /// Keeps or clears the doubt.
    func keep(_ offset: ClockOffset, of account: AccountName) {
        candidates.withLock { $0[account] = offset.candidate }
    }
}
