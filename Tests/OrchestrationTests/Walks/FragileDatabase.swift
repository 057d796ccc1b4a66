import Synchronization
import TrustedIdentity

/// A store of the platform that may fail at every write: before it, or after the commit, which is then not reported.
///
/// The content can be replaced by an earlier one, like a restore from a backup.
final class FragileDatabase: SQLDatabase {
    private struct State {
        var base: SQLiteDatabase
        var unreportedCommits = 0
        var losses = 0
    }

    private let state: Mutex<State>
    private let chance: Chance
    private let trace: WalkTrace
    private let percentage: Int

    init(_ base: SQLiteDatabase, chance: Chance, trace: WalkTrace, percentage: Int) {
        state = Mutex(State(base: base))
        self.chance = chance
        self.trace = trace
        self.percentage = percentage
    }

    /// The present content. Direct reads never fail.
    var base: SQLiteDatabase { state.withLock { $0.base } }

    /// The number of committed writes that were reported as failures.
    var unreportedCommits: Int { state.withLock { $0.unreportedCommits } }

    /// Sets the percentage of writes that are reported and not made. A correct store has none.
    func loseWrites(_ percentage: Int) { state.withLock { $0.losses = percentage } }

    func replace(by base: SQLiteDatabase) { state.withLock { $0.base = base } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        if chance.happens(percentage) {
            trace.add("platform fails before a commit")
            throw PowerFailure()
        }
        let losses = state.withLock { $0.losses }
        if losses > 0, chance.happens(losses) {
            trace.add("a write of the platform is lost")
            return try await base.snapshot().write(body)
        }
        let result = try await base.write(body)
        if chance.happens(percentage) {
            trace.add("platform fails after a commit")
            state.withLock { $0.unreportedCommits += 1 }
            throw PowerFailure()
        }
        return result
    }
}

/// A failure of the platform's machine.
struct PowerFailure: Error {}
