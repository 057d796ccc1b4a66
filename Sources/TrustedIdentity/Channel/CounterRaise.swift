internal import Primitives
internal import Wire

/// What a device's counters do to ours after a restore: the higher wins, for both instances.
enum CounterRaise {
    /// The rows to write: what each is moved from, nil when there is none, and what to.
    static func moves(
        _ counters: [ApplicationCounter], of device: [UInt8], stored: [CodeCounterRecord], now: Timestamp
    ) -> [(from: CodeCounterRecord?, to: CodeCounterRecord)] {
        counters.flatMap { counter in
            Instance.allCases.compactMap { instance in
                let before = stored.first { $0.instance == instance && $0.application == counter.application }
                var after =
                    before
                    ?? CodeCounterRecord(device: device, instance: instance, application: counter.application)
                let bound = bound(application: counter.application, now: now)
                after.next = max(after.next, min(counter.counter, bound))
                return after == before ? nil : (before, after)
            }
        }
    }

    /// A device with a clock far ahead must not shut itself out for as long.
    private static func bound(application: UInt8, now: Timestamp) -> UInt64 {
        guard CryptoApplications.use(of: application) == .time else { return UInt64(Int64.max) }
        return UInt64(max(0, now.secondsSinceEpoch)) / UInt64(CryptoApplications.period) + 2
    }
}
