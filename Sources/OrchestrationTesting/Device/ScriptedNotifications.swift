public import Orchestration
internal import Synchronization

/// A transport whose streams of notifications a test controls. A test can lose and repeat signals, and break streams.
///
/// ```swift
/// let notifications = ScriptedNotifications()
/// for try await pointer in orchestrator.notifications(for: "alice", over: notifications) { … }
/// ```
///
/// Signals go to the stream that was opened last. Signals without a stream are lost.
public final class ScriptedNotifications: NotificationTransport {
    private struct State {
        var openings: [NotificationStream] = []
        var refusals = 0
        var current: Connection?
        var greeting: [NotificationStream.Signal] = []
    }

    private let state = Mutex(State())

    /// Creates a transport without streams.
    public init() {}

    /// The streams that the SDK has asked for, in order, including refused ones.
    public var openings: [NotificationStream] { state.withLock { $0.openings } }

    /// Refuses the next streams.
    ///
    /// - Parameter count: The number of streams. Opening each of them throws `transport`.
    public func refuseStreams(_ count: Int) { state.withLock { $0.refusals = count } }

    /// Sets the signals that each new stream sends first, as a platform sends the pending requests.
    ///
    /// - Parameter signals: The signals.
    public func greet(with signals: [NotificationStream.Signal]) { state.withLock { $0.greeting = signals } }

    /// Sends a signal on the latest stream.
    ///
    /// - Parameter signal: The signal.
    /// - Returns: Whether there was an open stream; otherwise the signal is lost.
    @discardableResult
    public func send(_ signal: NotificationStream.Signal) -> Bool {
        let connection = state.withLock { $0.current }
        connection?.yield(signal)
        return connection != nil
    }

    /// Ends the latest stream.
    ///
    /// - Parameter error: The error that the stream throws; `nil` for an end by the server.
    public func breakStream(_ error: (any Error)? = nil) {
        let connection = state.withLock { state in
            defer { state.current = nil }
            return state.current
        }
        connection?.end(error)
    }

    /// Opens a stream.
    ///
    /// - Parameter stream: The channel and the token, which ``openings`` keeps.
    /// - Returns: The stream, which sends the signals of ``greet(with:)`` first.
    /// - Throws: `transport` for a stream that ``refuseStreams(_:)`` refuses.
    public func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        let connection = Connection()
        let greeting: [NotificationStream.Signal]? = state.withLock { state in
            state.openings.append(stream)
            guard state.refusals == 0 else {
                state.refusals -= 1
                return nil
            }
            state.current = connection
            return state.greeting
        }
        guard let greeting else { throw OrchestrationError(.transport) }
        for signal in greeting { connection.yield(signal) }
        return connection
    }

    private final class Connection: NotificationConnection {
        private let signals: AsyncThrowingStream<NotificationStream.Signal, any Error>
        private let continuation: AsyncThrowingStream<NotificationStream.Signal, any Error>.Continuation

        init() { (signals, continuation) = AsyncThrowingStream.makeStream() }

        func yield(_ signal: NotificationStream.Signal) { continuation.yield(signal) }

        func end(_ error: (any Error)?) { continuation.finish(throwing: error) }

        func next() async throws -> NotificationStream.Signal? {
            var iterator = signals.makeAsyncIterator()
            let signal = try await iterator.next()
            try Task.checkCancellation()
            return signal
        }
    }
}
