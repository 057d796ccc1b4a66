internal import Synchronization

/// A lock that all writes of a platform share, and that the replacement of the master key has alone for one
/// transaction.
///
/// A write that begins before that transaction ends before it. So no write seals an entry of the audit log under a key
/// that is not that of its number any more.
final class WriteLock: Sendable {
    private typealias Continuation = CheckedContinuation<Void, Never>

    private struct State {
        /// The number of writes that share the lock.
        var writes = 0
        /// Whether a caller has the lock alone, or waits until it has.
        var isExclusive = false
        /// The writes that wait.
        var waiting: [Continuation] = []
        /// The caller that waits for the writes before it.
        var exclusive: Continuation?
    }

    private let state = Mutex(State())

    /// Takes the lock for a write, and waits while another caller has it alone.
    func lock() async {
        if tryToLock(waitingAs: nil) { return }
        await withCheckedContinuation { continuation in
            if tryToLock(waitingAs: continuation) { continuation.resume() }
        }
    }

    /// Ends a write.
    func unlock() {
        let exclusive = state.withLock { state -> Continuation? in
            state.writes -= 1
            guard state.writes == 0 else { return nil }
            defer { state.exclusive = nil }
            return state.exclusive
        }
        exclusive?.resume()
    }

    /// Takes the lock alone, and waits until no write is under way.
    ///
    /// - Returns: Whether the caller has the lock: false when another caller has it alone.
    func lockExclusively() async -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isExclusive = true }
            return !state.isExclusive
        }
        guard isFirst else { return false }
        await withCheckedContinuation { (continuation: Continuation) in
            let isQuiet = state.withLock { state in
                if state.writes > 0 { state.exclusive = continuation }
                return state.writes == 0
            }
            if isQuiet { continuation.resume() }
        }
        return true
    }

    /// Gives the lock back to the writes that wait, and to later ones.
    func unlockExclusively() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isExclusive = false
            state.writes += state.waiting.count
            return state.waiting
        }
        for write in waiting { write.resume() }
    }

    private func tryToLock(waitingAs continuation: Continuation?) -> Bool {
        state.withLock { state in
            guard state.isExclusive else {
                state.writes += 1
                return true
            }
            if let continuation { state.waiting.append(continuation) }
            return false
        }
    }
}
