internal import Primitives

/// The order in which events are sent, without any input or output.
///
/// Events are sent in the order of their numbers, one at a time. An event that the receiver does not take is held: the
/// later ones come first, and it is sent again after a time. After several events in a row that were not taken, the
/// receiver counts as down, and a pause precedes each attempt.
struct EventSchedule: Sendable {
    /// The number of events in a row that were not taken after which the receiver counts as down.
    static let failuresUntilDown = 4
    /// The number of refusals after which an event is parked.
    static let refusalsUntilParked = 20
    /// The time between two attempts for a parked event.
    static let parkedInterval = Duration.seconds(3_600)
    /// The maximum time for which the receiver can ask.
    static let longestPause = Duration.seconds(3_600)

    /// An event that the receiver has not taken.
    private struct Held {
        var failures = 0
        /// The number of failures after which the receiver has taken another event. While it is down, no event counts
        /// as refused.
        var refusals = 0
        /// The time of the next attempt.
        var due = Duration.zero

        var isParked: Bool { refusals >= EventSchedule.refusalsUntilParked }
    }

    private var held: [Int64: Held] = [:]
    /// The events that were not taken since the last one that was taken.
    private var untaken: Set<Int64> = []
    /// The attempts that have failed since then.
    private(set) var failures = 0
    /// The number of the last event that was sent for the first time.
    private(set) var last: Int64 = 0
    private var pausedUntil = Duration.zero
    private var pauses = 0

    /// The number of parked events.
    var parkedCount: Int { held.values.count(where: \.isParked) }

    /// Whether a held event is sent before a new one. After a failure, a new one shows whether the receiver is up.
    var prefersHeld: Bool { failures == 0 }

    /// Returns the first held event that is to be sent again; nil for none.
    func held(at now: Duration) -> Int64? { held.filter { $0.value.due <= now }.keys.min() }

    /// Returns the time until which nothing is sent; nil when an event can be sent now.
    func pause(at now: Duration) -> Duration? { now < pausedUntil ? pausedUntil - now : nil }

    /// Returns the time until the next held event is to be sent; nil for none.
    func timeToHeld(at now: Duration) -> Duration? { held.values.map(\.due).min().map { $0 - now } }

    /// Notes that an event was removed from the store.
    mutating func removed(_ sequence: Int64) {
        held[sequence] = nil
        untaken.remove(sequence)
    }

    /// Notes that the receiver has taken an event.
    ///
    /// - Parameter now: The time of the process.
    mutating func noteDelivery(of sequence: Int64, at now: Duration) {
        last = max(last, sequence)
        removed(sequence)
        for sequence in untaken {
            guard var event = held[sequence] else { continue }
            event.refusals += 1
            // The receiver may have been down: the first refusal is not a reason to wait.
            if event.refusals == 1 { event.due = now }
            if event.isParked { event.due = now + Self.parkedInterval }
            held[sequence] = event
        }
        (untaken, failures, pauses) = ([], 0, 0)
    }

    /// Notes that the receiver has not taken an event.
    ///
    /// - Parameters:
    ///   - sequence: The number of the event.
    ///   - retryAfter: The time for which the receiver asks.
    ///   - now: The time of the process.
    ///   - delay: Returns the time after a number of failures in a row.
    mutating func noteFailure(
        of sequence: Int64, retryAfter: Duration?, at now: Duration, delay: (Int) -> Duration
    ) {
        last = max(last, sequence)
        failures += 1
        untaken.insert(sequence)
        var event = held[sequence] ?? Held()
        event.failures += 1
        event.due = now + (event.isParked ? Self.parkedInterval : delay(event.failures))
        held[sequence] = event
        if untaken.count >= Self.failuresUntilDown {
            pauses += 1
            pausedUntil = now + delay(pauses)
        }
        if let retryAfter { pausedUntil = max(pausedUntil, now + min(retryAfter, Self.longestPause)) }
    }
}
