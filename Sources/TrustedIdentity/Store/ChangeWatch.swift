internal import Crypto
internal import Primitives
internal import Synchronization

/// A registry of tasks that wait for changes of a topic.
///
/// A change wakes the waiting tasks of this process, and of the other processes that share the database. The calls
/// of ``changed(_:)`` follow a commit: of a registration or the removal of an account, of another state of a device, of
/// lifted blocks, of an approval request that is made, opened, replaced, answered or canceled, and of a stream of
/// notifications that opens. A login by code, signature or static password causes none: nothing waits for it, and a
/// message for each login would limit the rate of logins.
///
/// Other processes receive the HMAC of a topic and never the name of an account. A message is a hint. A waiting task
/// reads the store after each change, and each 10 seconds, and once a second while messages do not arrive.
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

        /// The kind and the name.
        fileprivate var bytes: [UInt8] {
            switch self {
            case .account(let name): [0] + Array(name.utf8)
            case .approvalRequest(let id): [1] + id
            }
        }
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
        /// The topics that a task of this process waits for, by their names in messages.
        var topics: [String: Topic] = [:]
        /// The task that reads the messages of other processes.
        var reader: Task<Void, Never>?
    }

    private let limit: Int
    private let peers: (any DatabasePeers)?
    private let key: SymmetricKey?
    private let state = Mutex(State())

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of waiters at a time, over all topics, without streams. It bounds the memory that
    ///     callers can occupy.
    ///   - peers: The other processes that share the database; nil for none.
    ///   - key: The key of the HMACs that name topics to them.
    init(limit: Int = 10_000, peers: (any DatabasePeers)? = nil, key: SymmetricKey? = nil) {
        self.limit = limit
        self.peers = peers
        self.key = key
        guard let topics = peers?.topics else { return }
        // The task belongs to the watch and not to a `Maintenance`. Without a reader, a task would wait for messages
        // that arrive and that nothing reads. The task holds the watch only while it wakes tasks, and ends with it.
        let reader = Task { [weak self] in
            for await name in topics { self?.received(name) }
        }
        state.withLock { $0.reader = reader }
    }

    deinit { state.withLock { $0.reader?.cancel() } }

    /// Runs a closure that waits for changes of a topic.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - isStream: Whether a stream of notifications waits. ``OpenStreams`` limits those, and they take no place
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
        return try await body(Changes(stream: stream, continuation: continuation, peers: peers))
    }

    /// Whether the number of waiting tasks is below the limit. Another task can take the last place before the caller
    /// waits.
    var hasRoom: Bool { state.withLock { $0.count < limit } }

    /// Wakes all tasks that wait for a topic. Call it after the commit of the change.
    func changed(_ topic: Topic) {
        wake(topic)
        if let name = name(of: topic) { peers?.send(name) }
    }

    /// Wakes all tasks that wait.
    func changedAll() {
        wakeAll()
        peers?.send(Self.allTopics)
    }

    /// Wakes the tasks of this process that wait for the topic of a message. A name that no task waits for is ignored:
    /// a message may be malformed, or for another process.
    ///
    /// - Parameter name: The name of the topic; nil when messages may have been lost.
    private func received(_ name: String?) {
        guard let name, name != Self.allTopics else { return wakeAll() }
        if let topic = state.withLock({ $0.topics[name] }) { wake(topic) }
    }

    /// The name that stands for all topics. Others have 32 characters.
    private static let allTopics = "all"

    /// Returns the name of a topic in messages: 32 hexadecimal digits; nil without other processes.
    private func name(of topic: Topic) -> String? {
        guard peers != nil, let key else { return nil }
        return Hex.encode(Array(HMAC<SHA256>.authenticationCode(for: topic.bytes, using: key).prefix(16)))
    }

    private func wake(_ topic: Topic) {
        let continuations = state.withLock { $0.waiters[topic]?.values.map(\.continuation) ?? [] }
        for continuation in continuations { continuation.yield() }
    }

    private func wakeAll() {
        let continuations = state.withLock { $0.waiters.values.flatMap { $0.values.map(\.continuation) } }
        for continuation in continuations { continuation.yield() }
    }

    private func add(_ waiter: Waiter, to topic: Topic) throws -> UInt64 {
        let name = name(of: topic)
        return try state.withLock { state in
            if !waiter.isStream {
                guard state.count < limit else { throw PlatformError(.busy) }
                state.count += 1
            }
            state.nextID += 1
            state.waiters[topic, default: [:]][state.nextID] = waiter
            if let name { state.topics[name] = topic }
            return state.nextID
        }
    }

    private func remove(_ id: UInt64, from topic: Topic) {
        let name = name(of: topic)
        let continuation = state.withLock { state -> Continuation? in
            guard let waiter = state.waiters[topic]?.removeValue(forKey: id) else { return nil }
            if !waiter.isStream { state.count -= 1 }
            if state.waiters[topic]?.isEmpty == true {
                state.waiters[topic] = nil
                if let name { state.topics[name] = nil }
            }
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
        fileprivate let peers: (any DatabasePeers)?

        /// The longest time between two reads while messages of other processes do not arrive.
        private static let blindInterval = Duration.seconds(1)
        /// The longest time between two reads where there are other processes: one message may be lost.
        private static let sharedInterval = Duration.seconds(10)

        func makeAsyncIterator() -> AsyncStream<Void>.Iterator { stream.makeAsyncIterator() }

        /// Returns after the next change or after a time, whichever comes first. Where there are
        /// other processes, it returns after 10 seconds at the latest, and after a second while their messages do not
        /// arrive.
        ///
        /// - Throws: `CancellationError` when the task is canceled.
        func next(within duration: Duration, on time: any TimeSource) async throws {
            // When messages stop during a wait, the database reports that some may have been lost, which ends the wait.
            let limit = peers.map { $0.isListening ? Self.sharedInterval : Self.blindInterval }
            let duration = limit.map { Swift.min(duration, $0) } ?? duration
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
