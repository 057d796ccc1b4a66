internal import Synchronization

/// The observations by which a running platform decides when it erases a replaced key.
///
/// They are not stored, so they begin again after a restart. A process must run for an hour, and long enough to read
/// all devices at 1,000 a minute, before it erases a key.
final class KeyErasure: Sendable {
    /// The time for which each maintenance run must find that a key has ended before the key is erased, by a clock that
    /// is never set: 1 hour. A single wrong reading of the system clock erases nothing.
    static let observation: Duration = .seconds(3_600)
    /// The number of devices that a run reads.
    static let batch = 1_000
    /// The time between two walks through all devices: 1 day.
    static let walkInterval: Duration = .seconds(86_400)

    /// A walk through all devices.
    struct Walk: Sendable {
        /// The last device that was read; `nil` at the beginning.
        var last: [UInt8]?
        /// The lowest statement number that a device has confirmed.
        var lowest = UInt64.max
    }

    private struct State {
        var endedSince: [[UInt8]: Duration] = [:]
        /// The walk that later runs continue.
        var walk: Walk?
        /// Whether a run reads devices at this moment.
        var isReading = false
        var nextWalk: Duration = .zero
    }

    private let state = Mutex(State())

    /// Notes which keys have ended, and returns the keys that were found ended for ``observation``.
    ///
    /// - Parameters:
    ///   - ids: The keys that have ended by the system clock.
    ///   - uptime: The time by a clock that is never set.
    func ended(_ ids: Set<[UInt8]>, uptime: Duration) -> Set<[UInt8]> {
        state.withLock { state in
            state.endedSince = state.endedSince.filter { ids.contains($0.key) }
            return ids.filter { id in
                let since = state.endedSince[id] ?? uptime
                state.endedSince[id] = since
                return uptime - since >= Self.observation
            }
        }
    }

    /// Returns the walk to continue, or a new one when it is due; `nil` when none is due or another run reads devices.
    func beginWalk(uptime: Duration) -> Walk? {
        state.withLock { state in
            guard !state.isReading else { return nil }
            guard state.walk != nil || uptime >= state.nextWalk else { return nil }
            state.isReading = true
            return state.walk ?? Walk()
        }
    }

    /// Stores a walk for the next run. After the last device, the next walk begins a day later.
    func endWalk(_ walk: Walk, isComplete: Bool, uptime: Duration) {
        state.withLock { state in
            state.isReading = false
            state.walk = isComplete ? nil : walk
            if isComplete { state.nextWalk = uptime + Self.walkInterval }
        }
    }
}
