internal import Orchestration
internal import OrchestrationProtocol

/// An open stream of Server-Sent Events.
///
/// A task reads the body and ends with the connection. It keeps at most 64 signals that were not asked for. Further
/// heartbeats are dropped. A further pointer ends the stream, and the next stream sends it again.
final class HTTPNotificationConnection: NotificationConnection {
    private static let bufferedSignals = 64

    private let signals: AsyncThrowingStream<NotificationStream.Signal, any Error>
    private let reader: Task<Void, Never>

    init(_ body: HTTPExchange.Body) {
        let (signals, continuation) = AsyncThrowingStream<NotificationStream.Signal, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.bufferedSignals))
        self.signals = signals
        reader = Task {
            var parser = ServerSentEventParser()
            do {
                try await body.forEachByte { byte in
                    guard let event = try parser.consume(byte) else { return }
                    let signal = NotificationStream.Signal(event)
                    if case .dropped = continuation.yield(signal), signal != .heartbeat { throw HTTPFailure(.tooLarge) }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    deinit { reader.cancel() }

    func next() async throws -> NotificationStream.Signal? {
        var iterator = signals.makeAsyncIterator()
        let signal = try await iterator.next()
        try Task.checkCancellation()
        return signal
    }
}

extension NotificationStream.Signal {
    /// Anything that is not the pointer of an approval only shows that the stream is open.
    fileprivate init(_ event: ServerSentEventParser.Event) {
        guard event.type == "approval", let command = try? OrchestrationCommand(text: event.data) else {
            self = .heartbeat
            return
        }
        self = .pointer(command, eventID: event.id)
    }
}
