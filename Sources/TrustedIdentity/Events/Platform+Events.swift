internal import Logging
internal import Primitives
internal import Synchronization

extension Platform {
    /// Delivers events through the gateway until the task is canceled.
    ///
    /// Run it in one task, beside the servers of the platform. Events that were recorded before it runs wait for it,
    /// also those of an earlier process. It returns at once when the task is canceled: what was under way is delivered again
    /// later, with the same id. A platform without a gateway for events has nothing to deliver, and waits.
    public func deliverEvents() async {
        guard let gateway = eventGateway, let outbox = store.outbox else {
            let (endless, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in endless {}
            return
        }
        await EventDeliveries(platform: self, gateway: gateway, outbox: outbox).run()
    }
}

/// The delivery of the events of a platform.
private final class EventDeliveries: Sendable {
    private struct State {
        var schedule = EventSchedule()
        /// The events that were delivered, and whose rows are to be removed.
        var delivered: [(sequence: Int64, id: [UInt8])] = []
    }

    private let platform: Platform
    private let gateway: any EventGateway
    private let outbox: EventOutbox
    private let state = Mutex(State())

    private var time: any TimeSource { platform.time }

    init(platform: Platform, gateway: any EventGateway, outbox: EventOutbox) {
        self.platform = platform
        self.gateway = gateway
        self.outbox = outbox
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            // The only wait of the watch, and within its limit. It throws only when the task is canceled.
            try? await outbox.waiting { changes in
                var failures = 0
                while true {
                    try Task.checkCancellation()
                    do {
                        try await removeDelivered()
                        switch next() {
                        case .deliver(let sequence): group.addTask { [self] in await deliver(sequence) }
                        case .load(let last): try await load(after: last)
                        case .pause(let duration?): try await changes.next(within: duration, on: time)
                        case .pause(nil):
                            for await _ in changes { break }
                        }
                        failures = 0
                    } catch is PlatformError {
                        // The store has logged it. The events wait in it.
                        failures += 1
                        try await time.sleep(for: DeliveryBackoff.delay(failures: failures, random: platform.random))
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func next() -> EventSchedule.Action {
        let hasNew = outbox.takeChange()
        return state.withLock { state in
            if hasNew { state.schedule.noteChange() }
            return state.schedule.next(at: time.uptime())
        }
    }

    private func load(after last: Int64) async throws {
        let rows = try await platform.read { try $0.events(after: last, limit: EventSchedule.page) }
        state.withLock { $0.schedule.load(rows.map { ($0.sequence, $0.event.account) }, isEnd: rows.isEmpty) }
    }

    /// Removes the rows of events that were delivered. A row that has a mark about dropped events meanwhile stays, and
    /// is delivered, too.
    private func removeDelivered() async throws {
        let delivered = state.withLock { $0.delivered }
        guard !delivered.isEmpty else { return }
        let marks = try await platform.writeAsPlatform { store in
            try delivered.compactMap { event -> Int64? in
                guard try !store.removeEvent(event.sequence, id: event.id) else { return nil }
                return try ifUnaltered { try store.event(event.sequence) }?.sequence
            }
        }
        state.withLock { state in
            state.delivered.removeFirst(delivered.count)
            for mark in marks { state.schedule.reload(mark) }
        }
    }

    /// Makes one attempt. The row is read again: the event may have been dropped, or erased with its account.
    private func deliver(_ sequence: Int64) async {
        let result: EventDelivery?
        var id: [UInt8]?
        do {
            if let record = try await platform.read({ store in try ifUnaltered { try store.event(sequence) } }) {
                id = record.event.id
                result = try await attempt(record.event)
                note(result)
            } else {
                result = nil
            }
        } catch is CancellationError {
            return
        } catch {
            // The store failed, and has logged it.
            result = .failed(retryAfter: nil, answer: nil)
        }
        state.withLock { state in
            if result == .delivered, let id { state.delivered.append((sequence, id)) }
            state.schedule.finish(sequence, result, now: time.uptime()) {
                DeliveryBackoff.delay(failures: $0, random: platform.random)
            }
        }
        outbox.wake()
    }

    private func attempt(_ event: PlatformEvent) async throws -> EventDelivery {
        let failed = EventDelivery.failed(retryAfter: nil, answer: nil)
        return try await time.result(within: Platform.deliveryTimeout, or: failed) { [gateway] in
            (try? await gateway.deliver(event)) ?? failed
        }
    }

    /// Counts a result, and logs when the receiver stops taking events, and when it takes them again.
    private func note(_ result: EventDelivery?) {
        switch result {
        case .delivered:
            platform.metrics.count(.deliveredEvents)
            if outbox.noteDelivery(at: time.now()) >= EventSchedule.failuresOfReceiver {
                platform.logger.notice("the receiver takes events again")
            }
        case .failed(_, let answer):
            platform.metrics.count(.repeatedEvents)
            if outbox.noteFailure(answer: answer) == EventSchedule.failuresOfReceiver {
                platform.logger.warning(
                    "the receiver takes no events: they wait and are delivered later",
                    metadata: ["receiver.answer": "\(answer.map(String.init) ?? "none")"])
            }
        case nil: break
        }
    }
}

extension TimeSource {
    /// Returns the result of an operation, which is canceled after a time.
    ///
    /// - Parameters:
    ///   - duration: The time.
    ///   - late: The result when the time has passed.
    ///   - operation: The operation. It ends soon after its task is canceled.
    /// - Throws: `CancellationError` when the task was canceled.
    package func result<R: Sendable>(
        within duration: Duration, or late: R, _ operation: @escaping @Sendable () async -> R
    ) async throws -> R {
        let result = await withTaskGroup(of: R.self) { group in
            group.addTask { await operation() }
            group.addTask {
                try? await sleep(for: duration)
                return late
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? late
        }
        try Task.checkCancellation()
        return result
    }
}
