public import Primitives

/// The state of the delivery of events, for administrators.
public struct EventStatus: Sendable, Hashable, Codable {
    /// Whether the platform records events.
    public let isRecording: Bool
    /// The number of events that wait.
    public let waiting: Int
    /// The time of the first event that waits; nil for none.
    public let waitingSince: Timestamp?
    /// Whether the oldest events are dropped.
    public let isFull: Bool
    /// The number of events that the receiver has refused 20 times since this process started. They are among the
    /// waiting events, and are sent again once an hour.
    public let parked: Int
    /// The failures in a row since this process started.
    public let failures: Int
    /// The HTTP status that answered the latest failed attempt; nil for no answer, and without a failure.
    public let answer: Int?
    /// The time of the latest delivery of this process; nil for none.
    public let deliveredAt: Timestamp?
}

extension Platform {
    /// Returns the state of the delivery of events.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func eventStatus() async throws -> EventStatus {
        let (count, oldest) = try await read { store in
            (
                try store.eventCount(),
                try store.events(after: 0, limit: 1).first?.event.time ?? store.arrivals(in: "event").since
            )
        }
        let progress = store.outbox?.withProgress { $0 }
        return EventStatus(
            isRecording: store.outbox != nil, waiting: count, waitingSince: oldest,
            isFull: count >= configuration.waitingEvents, parked: progress?.schedule.parkedCount ?? 0,
            failures: progress?.schedule.failures ?? 0, answer: progress?.answer, deliveredAt: progress?.deliveredAt)
    }
}
