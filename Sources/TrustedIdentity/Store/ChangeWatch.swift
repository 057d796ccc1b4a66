internal import Primitives
internal import Synchronization

/// A registry of tasks that wait for changes of a topic, within this process.
final class ChangeWatch: Sendable {
    /// A subject whose changes a task can wait for.
    ///
    /// Callers that wait for a registration and streams of notifications wait for accounts, and logins for approval
    /// requests.
    enum Topic: Sendable, Hashable {
        /// The account of that name (`user@domain`): its registration, the state of its devices, and new approval
        /// requests.
        case account(String)
        /// The approval request of that id.
        case approvalRequest([UInt8])
    }

    private typealias Continuation = AsyncStream<Void>.Continuation

    private struct Waiter {
        let continuation: Continuation
        let isStream: Bool
    }

    private struct State {
        var nextID: UInt64 = 0
        /// The number of waiters that are no streams.
        var count = 0
        var waiters: [Topic: [UInt64: Waiter]] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates a watch.
    ///
    /// - Parameter limit: The most waiters at a time, over all topics, without streams. It bounds the memory that
    ///   callers can occupy.
    init(limit: Int = 10_000) {
        self.limit = limit
    }

    /// Runs a closure that waits for changes of a topic.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - isStream: Whether a stream of notifications waits. ``OpenStreams`` bounds those, so that they take no place
    ///     from a caller that waits for an approval.
    ///   - body: A closure that iterates over the changes. Several changes between two iterations count as one; a
    ///     change before the first iteration is not lost.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; ``PlatformError`` with `busy` when as many wait as may.
    func waiting<R>(
        for topic: Topic, isStream: Bool = false, _ body: (Changes) async throws -> R
    ) async throws -> R {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = try add(Waiter(continuation: continuation, isStream: isStream), to: topic)
        defer { remove(id, from: topic) }
        return try await body(Changes(stream: stream, continuation: continuation))
    }

    /// Whether the number of waiting tasks is below the limit. Another task can take the last place before the caller
    /// waits.
    var hasRoom: Bool { state.withLock { $0.count < limit } }

    /// Wakes all tasks that wait for a topic.
    func changed(_ topic: Topic) {
        let continuations = state.withLock { $0.waiters[topic]?.values.map(\.continuation) ?? [] }
        for continuation in continuations { continuation.yield() }
    }

    /// Wakes all tasks that wait.
    func changedAll() {
        let continuations = state.withLock { $0.waiters.values.flatMap { $0.values.map(\.continuation) } }
        for continuation in continuations { continuation.yield() }
    }

    private func add(_ waiter: Waiter, to topic: Topic) throws -> UInt64 {
        try state.withLock { state in
            if !waiter.isStream {
                guard state.count < limit else { throw PlatformError(.busy) }
                state.count += 1
            }
            state.nextID += 1
            state.waiters[topic, default: [:]][state.nextID] = waiter
            return state.nextID
        }
    }

    private func remove(_ id: UInt64, from topic: Topic) {
        let continuation = state.withLock { state -> Continuation? in
            guard let waiter = state.waiters[topic]?.removeValue(forKey: id) else { return nil }
            if !waiter.isStream { state.count -= 1 }
            if state.waiters[topic]?.isEmpty == true { state.waiters[topic] = nil }
            return waiter.continuation
        }
        continuation?.finish()
    }
}

extension ChangeWatch {
    /// The changes of a topic, for one waiting task.
    struct Changes: AsyncSequence, Sendable {
        fileprivate let stream: AsyncStream<Void>
        fileprivate let continuation: AsyncStream<Void>.Continuation

        func makeAsyncIterator() -> AsyncStream<Void>.Iterator { stream.makeAsyncIterator() }

        /// Returns after the next change or after a time, whichever comes first.
        ///
        /// - Throws: `CancellationError` when the task is canceled.
        func next(within duration: Duration, on time: any TimeSource) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { [continuation] in
                    try await time.sleep(for: duration)
                    continuation.yield()
                }
                // The waiting task itself reads. A child that is canceled while it reads ends the stream for good, and
                // each later wait returns at once.
                for await _ in stream { return }
                try Task.checkCancellation()
            }
        }
    }
}
