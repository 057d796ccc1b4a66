internal import Synchronization

/// Wakes the long polls of an account when something about it changed, within this process.
final class AccountWatch: Sendable {
    /// Polls that wait at once; one more is answered at once.
    static let maximum = 10_000

    private struct State {
        var next: UInt64 = 0
        var count = 0
        var waiting: [String: [UInt64: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// Starts to watch. The stream gets an element after each change, at least one however many there were.
    ///
    /// - Returns: nil when too many watch; else the changes, and what to hand to ``stop(_:of:)``.
    func start(_ account: String) -> (id: UInt64, changes: AsyncStream<Void>)? {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return state.withLock { state -> UInt64? in
            guard state.count < Self.maximum else { return nil }
            state.next += 1
            state.count += 1
            state.waiting[account, default: [:]][state.next] = continuation
            return state.next
        }.map { ($0, changes) }
    }

    /// Ends to watch.
    func stop(_ id: UInt64, of account: String) {
        let continuation = state.withLock { state in
            guard let continuation = state.waiting[account]?.removeValue(forKey: id) else {
                return AsyncStream<Void>.Continuation?.none
            }
            state.count -= 1
            if state.waiting[account]?.isEmpty == true { state.waiting[account] = nil }
            return continuation
        }
        continuation?.finish()
    }

    /// Says that something changed.
    func changed(_ account: String) {
        let continuations = state.withLock { $0.waiting[account]?.values.map(\.self) ?? [] }
        for continuation in continuations { continuation.yield() }
    }
}
