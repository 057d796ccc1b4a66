public import Orchestration
internal import Synchronization

/// Streams of notifications that a test writes: they lose, repeat, break and fall silent, as networks do.
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
        var greeting: [NotificationSignal] = []
    }

    private let state = Mutex(State())

    /// Creates a transport without streams.
    public init() {}

    /// The streams that were asked for so far, in order.
    public var openings: [NotificationStream] { state.withLock { $0.openings } }

    /// Refuses the next streams.
    public func refuseStreams(_ count: Int) { state.withLock { $0.refusals = count } }

    /// Sets what each new stream sends first, as a platform sends what waits.
    public func greet(with signals: [NotificationSignal]) { state.withLock { $0.greeting = signals } }

    /// Sends a signal.
    ///
    /// - Returns: Whether there was a stream.
    @discardableResult
    public func send(_ signal: NotificationSignal) -> Bool {
        let connection = state.withLock { $0.current }
        connection?.yield(signal)
        return connection != nil
    }

    /// Ends the stream, with an error or as a server does.
    public func breakStream(_ error: (any Error)? = nil) {
        let connection = state.withLock { state in
            defer { state.current = nil }
            return state.current
        }
        connection?.end(error)
    }

    /// Opens a stream.
    public func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        let connection = Connection()
        let greeting: [NotificationSignal]? = state.withLock { state in
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
        private let signals: AsyncThrowingStream<NotificationSignal, any Error>
        private let continuation: AsyncThrowingStream<NotificationSignal, any Error>.Continuation

        init() { (signals, continuation) = AsyncThrowingStream.makeStream() }

        func yield(_ signal: NotificationSignal) { continuation.yield(signal) }

        func end(_ error: (any Error)?) { continuation.finish(throwing: error) }

        func next() async throws -> NotificationSignal? {
            var iterator = signals.makeAsyncIterator()
            let signal = try await iterator.next()
            try Task.checkCancellation()
            return signal
        }
    }
}
