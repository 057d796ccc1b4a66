internal import Primitives

/// The order in which events are delivered, without any input or output.
///
/// The events of one account form a queue: one is delivered at a time, in their order. An event that fails delays its
/// queue and no other one. Events without an account have a queue of their own. Once several attempts in a row have
/// failed, the receiver counts as down: one event at a time is tried, until one is delivered.
struct EventSchedule: Sendable {
    /// The most events that the schedule knows. The others wait in the store.
    static let window = 10_000
    /// The number of events that one read loads.
    static let page = 1_000
    /// The most attempts at the same time.
    static let concurrency = 16
    /// The number of failures in a row after which the receiver counts as down.
    static let failuresOfReceiver = 4
    /// The longest time for which the receiver can ask.
    static let longestPause = Duration.seconds(3_600)

    /// The work that is next.
    enum Action: Equatable {
        /// Deliver the event with a number, and report the end with ``EventSchedule/finish(_:_:now:delay:)``.
        case deliver(Int64)
        /// Load events after a number, and report them with ``EventSchedule/load(_:isEnd:)``.
        case load(after: Int64)
        /// Nothing can begin before a delivery ends, an event is new, or the time has passed.
        case pause(Duration?)
    }

    private struct AccountQueue {
        var events: FirstInFirstOut<Int64>
        var head: Int64
        var failures = 0
    }

    private var queues: [String: AccountQueue] = [:]
    /// The queues that may begin, in the order in which they came to be ready.
    private var ready = FirstInFirstOut<String>()
    /// The queues that may begin again after a failure. Those that have not failed come before them, so that events
    /// that the receiver always refuses do not delay the others.
    private var retries = FirstInFirstOut<String>()
    /// The queues that wait after a failure.
    private var delayed = DelayedItems<String>()
    /// The queues whose events are being delivered, by the number of the event.
    private var running: [Int64: String] = [:]
    /// The number of events in all queues.
    private var count = 0
    private var lastLoaded: Int64 = 0
    private var mayHaveMore = true
    /// The failures in a row, of all events.
    private(set) var failures = 0
    /// The time before which no event is sent, because the receiver asked for a pause.
    private var refusedUntil = Duration.zero
    /// The time until which a receiver that is down is left alone, and the number of such times in a row.
    private var downUntil = Duration.zero
    private var pauses = 0

    /// Whether the receiver counts as down.
    var isDown: Bool { failures >= Self.failuresOfReceiver }

    /// Notes that the store may have new events.
    mutating func noteChange() { mayHaveMore = true }

    /// Adds events that were loaded.
    ///
    /// - Parameters:
    ///   - events: The numbers and the accounts of the events, in their order.
    ///   - isEnd: Whether the store has no more.
    mutating func load(_ events: [(sequence: Int64, account: String?)], isEnd: Bool) {
        for event in events where event.sequence > lastLoaded {
            lastLoaded = event.sequence
            append(event.sequence, to: event.account ?? "")
        }
        if isEnd { mayHaveMore = false }
    }

    /// Adds an event again whose place has another one now: a mark about dropped events.
    mutating func reload(_ sequence: Int64) { append(sequence, to: "") }

    /// Returns what is next.
    mutating func next(at now: Duration) -> Action {
        while let queue = delayed.removeFirst(dueAt: now) { retries.append(queue) }
        if mayHaveMore, count + Self.page <= Self.window { return .load(after: lastLoaded) }
        guard running.count < (isDown ? 1 : Self.concurrency) else { return .pause(nil) }
        let begin = max(refusedUntil, downUntil)
        if now < begin, ready.count + retries.count > 0 { return .pause(begin - now) }
        guard let name = ready.removeFirst() ?? retries.removeFirst(), let head = queues[name]?.head else {
            return .pause(delayed.firstDue.map { $0 - now })
        }
        running[head] = name
        return .deliver(head)
    }

    /// Notes the end of an attempt.
    ///
    /// - Parameters:
    ///   - sequence: The number of the event.
    ///   - result: The result; nil for an event that is not there any more.
    ///   - delay: Returns the time after a number of failures in a row.
    mutating func finish(
        _ sequence: Int64, _ result: EventDelivery?, now: Duration, delay: (Int) -> Duration
    ) {
        guard let name = running.removeValue(forKey: sequence), var queue = queues[name] else { return }
        switch result {
        case .delivered, nil:
            if result != nil {
                (failures, pauses, downUntil) = (0, 0, .zero)
            }
            count -= 1
            guard let next = queue.events.removeFirst() else {
                queues[name] = nil
                return
            }
            queue.head = next
            queue.failures = 0
            queues[name] = queue
            ready.append(name)
        case .failed(let retryAfter, _):
            failures += 1
            queue.failures += 1
            if let retryAfter { refusedUntil = max(refusedUntil, now + min(retryAfter, Self.longestPause)) }
            // Attempts that ran beside the one that began the pause say nothing new.
            if isDown, now >= downUntil {
                pauses += 1
                downUntil = now + delay(pauses)
            }
            queues[name] = queue
            delayed.insert(name, due: now + delay(queue.failures))
        }
    }

    private mutating func append(_ sequence: Int64, to name: String) {
        count += 1
        guard var queue = queues[name] else {
            queues[name] = AccountQueue(events: FirstInFirstOut(), head: sequence)
            return ready.append(name)
        }
        // Taken out, so that its events are not copied.
        queues[name] = nil
        queue.events.append(sequence)
        queues[name] = queue
    }
}
