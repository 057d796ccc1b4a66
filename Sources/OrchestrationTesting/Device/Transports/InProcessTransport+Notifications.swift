public import Orchestration
internal import Primitives
internal import Synchronization
internal import TrustedIdentity

extension InProcessTransport: NotificationTransport {
    /// Opens a stream of notifications of the platform.
    ///
    /// Its first signal is a heartbeat, as the first bytes of a stream over HTTP are. A restart of a ``TestPlatform``
    /// breaks the stream with an error.
    ///
    /// - Parameter stream: The channel and the right to open it.
    /// - Returns: The open stream.
    /// - Throws: ``/Orchestration/OrchestrationError`` with the code `transport` and the platform's error as the
    ///   underlying one; `CancellationError` when the task was canceled.
    public func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        do {
            guard let token = try? Base64URL.decode(stream.token) else { throw PlatformError(.invalidStreamToken) }
            let events = try await platform().notifications(
                channel: stream.channel, token: token, after: stream.lastEventID.flatMap { try? Hex.decode($0) },
                from: address)
            return InProcessConnection(events, among: streams)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw OrchestrationError(.transport, underlying: error)
        }
    }
}

/// The open streams of a platform in process.
final class InProcessStreams: Sendable {
    private struct State {
        var latest = 0
        var breaks: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Ends every open stream with an error, as the end of a process breaks its connections.
    func breakAll() {
        let breaks = state.withLock { state in
            defer { state.breaks = [:] }
            return state.breaks.values.map(\.self)
        }
        for breakStream in breaks { breakStream() }
    }

    /// Adds a stream.
    ///
    /// - Parameter breakStream: Ends the stream with an error.
    fileprivate func add(_ breakStream: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.latest += 1
            state.breaks[state.latest] = breakStream
            return state.latest
        }
    }

    fileprivate func remove(_ number: Int) { state.withLock { $0.breaks[number] = nil } }
}

/// An open stream of a platform in process.
///
/// A task reads the events and ends with the connection, as the reader of a stream over HTTP does. It also reads while
/// the app does not wait for a signal.
private final class InProcessConnection: NotificationConnection {
    private static let bufferedSignals = 64

    private let signals: AsyncThrowingStream<NotificationStream.Signal, any Error>
    private let reader: Task<Void, Never>
    private let number: Int
    private let streams: InProcessStreams

    init(_ events: AsyncThrowingStream<NotificationEvent, any Error>, among streams: InProcessStreams) {
        let (signals, continuation) = AsyncThrowingStream<NotificationStream.Signal, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.bufferedSignals))
        self.signals = signals
        self.streams = streams
        continuation.yield(.heartbeat)
        let reader = Task {
            do {
                for try await event in events { continuation.yield(NotificationStream.Signal(event)) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: OrchestrationError(.transport, underlying: error))
            }
        }
        self.reader = reader
        number = streams.add {
            continuation.finish(throwing: OrchestrationError(.transport))
            reader.cancel()
        }
    }

    deinit {
        reader.cancel()
        streams.remove(number)
    }

    func next() async throws -> NotificationStream.Signal? {
        var iterator = signals.makeAsyncIterator()
        let signal = try await iterator.next()
        try Task.checkCancellation()
        return signal
    }
}

extension NotificationStream.Signal {
    fileprivate init(_ event: NotificationEvent) {
        switch event {
        case .heartbeat: self = .heartbeat
        case .approval(let id, let pointer): self = .pointer(pointer, eventID: Hex.encode(id))
        }
    }
}
