import Synchronization
import TrustedIdentity

/// The platform's store, which may fail at every write: before it, or after the commit so that nobody hears of it.
///
/// The content can be replaced by an earlier one, as a restore from a backup does.
final class FragilePlatformStore: PlatformStore {
    private struct State {
        var base: MemoryPlatformStore
        var unheardCommits = 0
    }

    private let state: Mutex<State>
    private let fate: Fate
    private let trace: WalkTrace
    private let percentage: Int

    init(_ base: MemoryPlatformStore, fate: Fate, trace: WalkTrace, percentage: Int) {
        state = Mutex(State(base: base))
        self.fate = fate
        self.trace = trace
        self.percentage = percentage
    }

    /// What is stored now. Reading it directly never fails.
    var base: MemoryPlatformStore { state.withLock { $0.base } }

    /// How many writes were committed although their caller saw a failure.
    var unheardCommits: Int { state.withLock { $0.unheardCommits } }

    func replace(by base: MemoryPlatformStore) { state.withLock { $0.base = base } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        if fate.happens(percentage) {
            trace.add("platform fails before a commit")
            throw PowerFailure()
        }
        let result = try await base.write(body)
        if fate.happens(percentage) {
            trace.add("platform fails after a commit")
            state.withLock { $0.unheardCommits += 1 }
            throw PowerFailure()
        }
        return result
    }
}

/// The machine of the platform went away.
struct PowerFailure: Error {}
