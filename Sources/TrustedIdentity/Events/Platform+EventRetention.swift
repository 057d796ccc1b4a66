internal import Primitives

extension Platform {
    /// Drops events that have waited for longer than ``EventOutbox/lifetime``, also when the platform records none any
    /// more. Returns their number.
    func dropOldEvents(_ now: Timestamp) async throws -> Int {
        let end = now.advanced(by: .zero - EventOutbox.lifetime)
        guard try await read({ try Self.oldEvents(until: end, in: $0) }).contains(where: { !$0.isMark }) else {
            return 0
        }
        // A platform that records no events removes what is left of them all the same.
        let write = EventOutbox.Write(
            store.outbox ?? EventOutbox(limit: configuration.waitingEvents, random: random, metrics: metrics))
        let count = try await writeAsPlatform { [store] transaction in
            write.begin()
            let old = try Self.oldEvents(until: end, in: transaction)
            try write.drop(old, at: now, in: transaction, store.authenticator)
            return old.count
        }
        write.end()
        return count
    }

    /// Returns the first events of the outbox that are old, with a mark before them.
    private static func oldEvents(until end: Timestamp, in store: any StoreReader) throws -> [EventRecord] {
        Array(try store.events(after: 0, limit: sweepBatch).prefix { $0.isMark || $0.event.time <= end })
    }
}
