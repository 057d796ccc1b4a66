internal import Synchronization

/// What a running platform remembers for the erasure of replaced keys.
///
/// Nothing of it is stored: after a restart it begins anew, and a key is erased a little later.
final class KeyErasure: Sendable {
    /// The time for which each sweep must find that a key has ended before the key is erased, by a clock that is never
    /// set: 1 hour. A single wrong reading of the clock of the system erases nothing.
    static let observation: Duration = .seconds(3_600)
    /// The time between two walks through all devices: 1 day.
    static let walkInterval: Duration = .seconds(86_400)

    /// A walk through all devices.
    struct Walk: Sendable {
        /// The last device that was read; `nil` at the beginning.
        var last: [UInt8]?
        /// The lowest number of a statement that a device has confirmed.
        var lowest = UInt64.max
    }

    private struct State {
        var endedSince: [[UInt8]: Duration] = [:]
        /// The walk that goes on, unless a sweep has taken it.
        var walk: Walk?
        var isTaken = false
        var nextWalk: Duration = .zero
    }

    private let state = Mutex(State())

    /// Notes which keys have ended, and returns those that have been found so for ``observation``.
    ///
    /// - Parameters:
    ///   - ids: The keys that have ended by the clock of the system.
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

    /// Takes the walk that goes on, or a new one when it is due; `nil` when none is due or another sweep has it.
    func takeWalk(uptime: Duration) -> Walk? {
        state.withLock { state in
            guard !state.isTaken else { return nil }
            guard state.walk != nil || uptime >= state.nextWalk else { return nil }
            state.isTaken = true
            return state.walk ?? Walk()
        }
    }

    /// Gives a walk back. After the last device, the next walk begins a day later.
    func give(back walk: Walk, isComplete: Bool, uptime: Duration) {
        state.withLock { state in
            state.isTaken = false
            state.walk = isComplete ? nil : walk
            if isComplete { state.nextWalk = uptime + Self.walkInterval }
        }
    }
}
