internal import Primitives
internal import Synchronization

/// The outbox of a platform that records events: store rows that wait for delivery, and the delivery state in this
/// process.
///
/// An event is written in the transaction of its decision. A stored decision therefore always has its event. The
/// maintenance drops events beyond ``limit`` and after ``lifetime``.
final class EventOutbox: Sendable {
    /// The number of waiting events beyond which the oldest are dropped.
    static let defaultLimit = 100_000
    /// The time after which an event is dropped: 7 days.
    static let lifetime = Duration.seconds(7 * 86_400)

    /// The delivery of this process so far.
    struct Progress: Sendable {
        var schedule = EventSchedule()
        /// The answer to the latest failure; nil after a delivery.
        var answer: Int?
        var deliveredAt: Timestamp?
        /// Whether a task sends events.
        var isSending = false
    }

    let limit: Int
    private let progress = Mutex(Progress())
    private let metrics: PlatformMetrics
    private let watch = ChangeWatch()

    /// Creates the outbox of a platform.
    init(limit: Int, metrics: PlatformMetrics) {
        self.limit = limit
        self.metrics = metrics
    }

    /// Reads or changes the state of the delivery.
    func withProgress<R: Sendable>(_ body: (inout Progress) -> R) -> R { progress.withLock { body(&$0) } }

    /// Runs a closure that sends events. Only one closure runs at a time, and a further call waits.
    func sending(_ body: (ChangeWatch.Changes) async throws -> Void) async throws {
        try await watch.waiting(for: Self.topic) { changes in
            while !begin() {
                for await _ in changes { break }
                try Task.checkCancellation()
            }
            defer {
                progress.withLock { $0.isSending = false }
                watch.changed(Self.topic)
            }
            try await body(changes)
        }
    }

    private func begin() -> Bool {
        progress.withLock { progress in
            defer { progress.isSending = true }
            return !progress.isSending
        }
    }

    private static var topic: ChangeWatch.Topic { .account("") }

    /// The events of one transaction. They are counted once the transaction is durable.
    final class Write: Sendable {
        private let outbox: EventOutbox
        private let recorded = Mutex(0)

        init(_ outbox: EventOutbox) { self.outbox = outbox }

        /// Begins the transaction, again after a rollback.
        func begin() { recorded.withLock { $0 = 0 } }

        /// Counts an event that the transaction records.
        func note() { recorded.withLock { $0 += 1 } }

        /// Counts the events, and wakes the delivery.
        func end() {
            let recorded = recorded.withLock { $0 }
            guard recorded > 0 else { return }
            outbox.metrics.add(recorded, to: .recordedEvents)
            outbox.watch.changed(EventOutbox.topic)
        }
    }
}

extension Platform {
    /// Assigns the next numbers to events without a number: see ``numberArrivals()``.
    func numberEvents() async throws {
        guard store.database.dialect == .postgreSQL, try await read({ try $0.arrivals(in: "event").count }) > 0 else {
            return
        }
        while try await writeAsPlatform({ try $0.numberEvents(limit: Self.auditBatch) }) == Self.auditBatch {
            try Task.checkCancellation()
        }
    }

    /// Drops a batch of the oldest events, beyond the limit of the outbox and after ``EventOutbox/lifetime``, even if
    /// the platform no longer records events. An event states how many were dropped.
    ///
    /// - Returns: The number of rows that were removed.
    func dropOldEvents(_ now: Timestamp) async throws -> Int {
        try await numberEvents()
        let (end, limit) = (now.advanced(by: .zero - EventOutbox.lifetime), configuration.waitingEvents)
        let oldEvents = { @Sendable (store: any StoreReader) throws -> [EventRecord] in
            let excess = try store.eventCount() - limit
            // The event about the dropped events also needs a place.
            let count = excess > 0 ? excess + 1 : 0
            let first = try store.events(after: 0, limit: Self.sweepBatch)
            return first.enumerated().prefix { $0 < count || $1.event.time <= end }.map(\.element)
        }
        // Most sweeps drop nothing, and need no transaction.
        guard try await !read(oldEvents).isEmpty else { return 0 }
        let (count, dropped) = try await writeAsPlatform { store in
            let old = try oldEvents(store)
            for record in old { _ = try store.removeEvent(record.sequence, id: record.event.id) }
            // An event about dropped events counts for the events that it reports.
            let count = old.reduce(0) { sum, record in
                let (next, isOver) = sum.addingReportingOverflow(max(1, record.event.count))
                return isOver ? .max : next
            }
            if !old.isEmpty { try store.append(EventRecord(event: .init(.eventsDropped, time: now, count: count))) }
            return (old.count, old.count { $0.event.kind != .eventsDropped })
        }
        metrics.add(dropped, to: .droppedEvents)
        return count
    }
}
