internal import Logging
internal import Primitives

extension Platform {
    /// Delivers events through the gateway until the task is canceled.
    ///
    /// Run it in one task, next to the servers of the platform. Events that were recorded before it runs wait for it,
    /// including events of a previous process. It returns at once when the task is canceled: an event that was under
    /// way is delivered again later, with the same id. A second call waits until the first one has ended. A platform
    /// without a gateway for events has nothing to deliver, and waits. Of the processes that share a database, one
    /// delivers. When it ends, another one takes over.
    public func deliverEvents() async {
        guard let gateway = eventGateway, let outbox = store.outbox else { return await Task.untilCanceled() }
        let sender = EventSender(platform: self, gateway: gateway, outbox: outbox)
        // It throws only when the task is canceled.
        try? await outbox.sending { try await sender.run($0) }
    }
}

/// The sender of a platform's events.
private struct EventSender {
    let platform: Platform
    let gateway: any EventGateway
    let outbox: EventOutbox

    /// The time after which the sender checks whether another process has recorded an event, which no message reports.
    /// After the same time, a process that does not deliver asks for the delivery again.
    private static let readInterval = Duration.seconds(1)

    private var time: any TimeSource { platform.time }

    /// Sends events, one at a time, until the task is canceled.
    ///
    /// - Parameter changes: The changes of the outbox.
    /// - Throws: `CancellationError`.
    func run(_ changes: ChangeWatch.Changes) async throws {
        var storeFailures = 0
        while true {
            try Task.checkCancellation()
            do {
                if let pause = schedule({ $0.pause(at: time.uptime()) }) {
                    try await changes.next(within: pause, on: time)
                } else if let peers = platform.store.database.peers, !peers.claimEventDelivery() {
                    // The claim is checked before each event: the database may have lost it, and given it to another
                    // process. An event that both processes deliver then has the same id.
                    try await time.sleep(for: Self.readInterval)
                } else if let record = try await next() {
                    try await send(record)
                } else if let duration = timeToNext() {
                    try await changes.next(within: duration, on: time)
                } else {
                    for await _ in changes { break }
                }
                storeFailures = 0
            } catch is PlatformError {
                // The store has logged the failure. The events wait in the store.
                storeFailures += 1
                try await time.sleep(for: DeliveryBackoff.delay(failures: storeFailures, random: platform.random))
            }
        }
    }

    /// Returns the time after which the store is read without a change in this process; nil for no such time.
    private func timeToNext() -> Duration? {
        let held = schedule { $0.timeToHeld(at: time.uptime()) }
        guard platform.store.database.peers != nil else { return held }
        return min(held ?? Self.readInterval, Self.readInterval)
    }

    /// Returns the event that is sent next; nil for none.
    ///
    /// Each event is read right before its attempt: it may have been dropped, or erased with its account.
    private func next() async throws -> EventRecord? {
        try await platform.numberEvents()
        let (prefersHeld, last) = schedule { ($0.prefersHeld, $0.last) }
        if prefersHeld, let event = try await nextHeld() { return event }
        if let event = try await platform.read({ try $0.events(after: last, limit: 1) }).first { return event }
        return prefersHeld ? nil : try await nextHeld()
    }

    private func nextHeld() async throws -> EventRecord? {
        while let sequence = schedule({ $0.held(at: time.uptime()) }) {
            if let event = try await platform.read({ try $0.event(sequence) }) { return event }
            schedule { $0.removed(sequence) }
        }
        return nil
    }

    /// Makes one attempt, and removes an event that the receiver has taken.
    private func send(_ record: EventRecord) async throws {
        let failed = EventDelivery.failed(retryAfter: nil, answer: nil)
        let result = try await time.result(within: Platform.deliveryTimeout, or: failed) { [gateway] in
            (try? await gateway.deliver(record.event)) ?? failed
        }
        switch result {
        case .delivered:
            // When the store fails here, the event is sent again with its id.
            _ = try await platform.writeAsPlatform { try $0.removeEvent(record.sequence, id: record.event.id) }
            let failures = outbox.withProgress { progress in
                defer { progress.schedule.noteDelivery(of: record.sequence, at: time.uptime()) }
                (progress.answer, progress.deliveredAt) = (nil, time.now())
                return progress.schedule.failures
            }
            platform.metrics.count(.deliveredEvents)
            if failures >= EventSchedule.failuresUntilDown {
                platform.logger.notice("the receiver takes events again")
            }
        case .failed(let retryAfter, let answer):
            let failures = outbox.withProgress { progress in
                progress.answer = answer
                progress.schedule.noteFailure(of: record.sequence, retryAfter: retryAfter, at: time.uptime()) {
                    DeliveryBackoff.delay(failures: $0, random: platform.random)
                }
                return progress.schedule.failures
            }
            platform.metrics.count(.repeatedEvents)
            if failures == EventSchedule.failuresUntilDown {
                platform.logger.warning(
                    "the receiver takes no events: they wait and are delivered later",
                    metadata: ["receiver.answer": "\(answer.map(String.init) ?? "none")"])
            }
        }
    }

    /// Reads or changes the schedule.
    private func schedule<R: Sendable>(_ body: (inout EventSchedule) -> R) -> R {
        outbox.withProgress { body(&$0.schedule) }
    }
}
