internal import Primitives
internal import Synchronization

/// The outbox of a platform that records events: rows of the store that wait for their delivery.
///
/// An event is written in the transaction of the decision that it is about, so that a decision that is stored has its
/// event. The outbox is bounded: see ``limit`` and ``lifetime``.
final class EventOutbox: Sendable {
    /// The number of later events after which an event is dropped.
    static let defaultLimit = 100_000
    /// The time after which an event is dropped: 7 days.
    static let lifetime = Duration.seconds(7 * 86_400)

    let limit: Int
    private let random: any RandomSource
    private let metrics: PlatformMetrics
    private let watch = ChangeWatch()
    private let hasNew = Atomic(true)
    private let state = Mutex(Progress())

    /// The delivery of this process so far.
    struct Progress: Sendable {
        /// The failures in a row.
        var failures = 0
        /// The answer to the latest one.
        var answer: Int?
        var deliveredAt: Timestamp?
    }

    /// Creates the outbox of a platform.
    init(limit: Int, random: any RandomSource, metrics: PlatformMetrics) {
        self.limit = limit
        self.random = random
        self.metrics = metrics
    }

    /// Runs a closure that waits for new events.
    func waiting<R>(_ body: (ChangeWatch.Changes) async throws -> R) async throws -> R {
        try await watch.waiting(for: Self.topic, body)
    }

    /// Wakes the delivery, which then loads new events.
    private func changed() {
        hasNew.store(true, ordering: .sequentiallyConsistent)
        wake()
    }

    /// Wakes the delivery.
    func wake() { watch.changed(Self.topic) }

    /// Returns whether there may be new events since the last call.
    func takeChange() -> Bool { hasNew.exchange(false, ordering: .sequentiallyConsistent) }

    var progress: Progress { state.withLock { $0 } }

    /// Notes a delivery. Returns the number of failures in a row before it.
    func noteDelivery(at now: Timestamp) -> Int {
        state.withLock { state in
            defer { state = Progress(failures: 0, answer: nil, deliveredAt: now) }
            return state.failures
        }
    }

    /// Notes a failure. Returns the number of failures in a row.
    func noteFailure(answer: Int?) -> Int {
        state.withLock { state in
            state.failures += 1
            state.answer = answer
            return state.failures
        }
    }

    private static var topic: ChangeWatch.Topic { .account("") }

    /// The events of one transaction, which are counted once it is durable.
    final class Write: Sendable {
        private let outbox: EventOutbox
        private let numbers = Mutex((recorded: 0, dropped: 0))

        init(_ outbox: EventOutbox) { self.outbox = outbox }

        /// Begins the transaction, again after a rollback.
        func begin() { numbers.withLock { $0 = (0, 0) } }

        /// Counts the events, and wakes the delivery.
        func end() {
            let (recorded, dropped) = numbers.withLock { $0 }
            outbox.metrics.add(recorded, to: .recordedEvents)
            outbox.metrics.add(dropped, to: .droppedEvents)
            if recorded + dropped > 0 { outbox.changed() }
        }

        /// Appends an event, and drops the one that the bound of the outbox has reached. Returns its number.
        func append(
            _ event: PlatformEvent, in store: any StoreTransaction, _ rows: RowAuthenticator
        ) throws -> Int64 {
            var event = event
            event.id = outbox.random.bytes(16)
            let sequence = try store.append(rows.authenticated(EventRecord(event: event)))
            numbers.withLock { $0.recorded += 1 }
            let last = sequence - Int64(outbox.limit)
            guard last > 0 else { return sequence }
            // The event of the event before and its mark, or a few more where the bound was larger before.
            let old = try store.events(after: 0, limit: 8).filter { $0.sequence <= last }
            try drop(old, at: event.time, in: store, rows)
            return sequence
        }

        /// Removes events, and leaves a mark in the place of the last one that says how many they are.
        ///
        /// - Parameter old: The first events of the outbox, in their order.
        func drop(
            _ old: [EventRecord], at now: Timestamp, in store: any StoreTransaction, _ rows: RowAuthenticator
        ) throws {
            guard let last = old.last, old.contains(where: { !$0.isMark }) else { return }
            for record in old { _ = try store.removeEvent(record.sequence, id: record.event.id) }
            // A row that another program has changed counts as one event, so that its number gets no HMAC.
            let count = old.reduce(0) { sum, record in
                let (next, isOver) = sum.addingReportingOverflow(rows.isAuthentic(record) ? record.event.count : 1)
                return isOver ? .max : next
            }
            let mark = PlatformEvent(id: outbox.random.bytes(16), .eventsDropped, time: now, count: count)
            try requireWritten(
                store.insert(rows.authenticated(EventRecord(sequence: last.sequence, event: mark))))
            numbers.withLock { $0.dropped += old.count { !$0.isMark } }
        }
    }
}

extension EventRecord {
    /// Whether the row says how many events were dropped before it.
    var isMark: Bool { event.kind == .eventsDropped }
}
