internal import Primitives

/// The time-based codes of a device that are used up too early, because the platform's clock was ahead when they were
/// accepted.
enum CodesAhead {
    /// The maximum number of time steps by which an accepted code is ahead of the clock, with a learned drift of the
    /// device.
    private static let reach = UInt64(2 * CryptoApplications.tolerance + 1)

    private static func step(at time: Timestamp) -> UInt64 {
        UInt64(max(0, time.secondsSinceEpoch)) / UInt64(CryptoApplications.timeStep)
    }

    /// Whether a counter is further ahead of the clock than an accepted code can move it.
    private static func isAhead(_ counter: CodeCounterRecord, at now: Timestamp) -> Bool {
        guard let application = CryptoApplicationIndex(rawValue: counter.application),
            CryptoApplications.use(of: application) == .time
        else { return false }
        return counter.next > step(at: now) + reach + 1
    }

    /// Returns the time until which codes of the counters are used up; `nil` when no counter is ahead of the clock.
    static func end(of counters: [CodeCounterRecord], now: Timestamp) -> Timestamp? {
        counters.filter { isAhead($0, at: now) }.map(\.next).max().map { next in
            let seconds = min(Int64(clamping: next), Int64.max / 1_000_000) * Int64(CryptoApplications.timeStep)
            return Timestamp(secondsSinceEpoch: seconds)
        }
    }

    /// Sets the counters of a device that are ahead of the clock back to the clock.
    ///
    /// The codes that were accepted too early could then be used again at their time. They were made at the confirmed
    /// ratchet index or before. The device therefore has to move to the next index first, with a request at least five
    /// minutes after its last move. The time of that move may also be ahead of the clock.
    static func release(_ device: DeviceRecord, in store: StoreTransaction, now: Timestamp) throws {
        let counters = try store.codeCounters(of: device.id).filter { isAhead($0, at: now) }
        guard !counters.isEmpty else { return }
        for counter in counters {
            var released = counter
            released.next = step(at: now)
            released.drift = 0
            released.firstIndex = device.ratchetIndex + 1
            try requireWritten(store.move(released, from: counter))
        }
        var device = device
        device.promotedAt = min(device.promotedAt, now)
        try requireWritten(store.update(device))
    }
}
