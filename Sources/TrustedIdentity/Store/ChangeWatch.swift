internal import Synchronization

/// Wakes tasks that wait until something about a topic changes, within this process.
final class ChangeWatch: Sendable {
    /// A subject whose changes a task can wait for.
    enum Topic: Sendable, Hashable {
        /// The account of that name (`user@domain`): its registration, and the state of its devices.
        case account(String)
        /// The device of that id.
        case device([UInt8])
        /// The approval request of that id.
        case approvalRequest([UInt8])
    }

    private typealias Continuation = AsyncStream<Void>.Continuation

    private struct State {
        var nextID: UInt64 = 0
        var count = 0
        var waiters: [Topic: [UInt64: Continuation]] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates a watch.
    ///
    /// - Parameter limit: The most waiters at a time, over all topics. It bounds the memory that callers can occupy.
    init(limit: Int = 10_000) {
        self.limit = limit
    }

    /// Runs a closure that waits for changes of a topic.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - body: A closure that iterates over the changes. Several changes between two iterations count as one; a change
    ///     before the first iteration is not lost.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; ``PlatformError`` with `busy` when as many wait as may.
    func waiting<R>(for topic: Topic, _ body: (AsyncStream<Void>) async throws -> R) async throws -> R {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = try add(continuation, to: topic)
        defer { remove(id, from: topic) }
        return try await body(changes)
    }

    /// Wakes all tasks that wait for a topic.
    func changed(_ topic: Topic) {
        let continuations = state.withLock { $0.waiters[topic]?.values.map(\.self) ?? [] }
        for continuation in continuations { continuation.yield() }
    }

    private func add(_ continuation: Continuation, to topic: Topic) throws -> UInt64 {
        try state.withLock { state in
            guard state.count < limit else { throw PlatformError(.busy) }
            state.count += 1
            state.nextID += 1
            state.waiters[topic, default: [:]][state.nextID] = continuation
            return state.nextID
        }
    }

    private func remove(_ id: UInt64, from topic: Topic) {
        let continuation = state.withLock { state -> Continuation? in
            guard let continuation = state.waiters[topic]?.removeValue(forKey: id) else { return nil }
            state.count -= 1
            if state.waiters[topic]?.isEmpty == true { state.waiters[topic] = nil }
            return continuation
        }
        continuation?.finish()
    }
}
