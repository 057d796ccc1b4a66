internal import Primitives

/// The time of a ``ManualTimeSource`` and who waits for it. Everything here happens under its lock; the continuations
/// are resumed outside of it.
struct Dormitory {
    typealias Continuation = CheckedContinuation<Void, any Error>

    private(set) var now: Timestamp
    /// How far the time has gone, whatever the clock was set to.
    private(set) var uptime: Int64 = 0
    private var sleepers: [Int: (end: Timestamp, continuation: Continuation)] = [:]

    /// Tickets whose continuation has not arrived yet, and whether their task was canceled meanwhile.
    private var arriving: [Int: Bool] = [:]
    private var nextTicket = 0

    init(now: Timestamp) {
        self.now = now
    }

    var sleeperCount: Int { sleepers.count }

    /// A name for a sleep that is about to begin.
    mutating func ticket() -> Int {
        nextTicket += 1
        arriving[nextTicket] = false
        return nextTicket
    }

    /// Whether the sleep begins; it does not when its task was canceled meanwhile.
    mutating func enter(_ ticket: Int, milliseconds: Int64, _ continuation: Continuation) -> Bool {
        guard arriving.removeValue(forKey: ticket) == false else { return false }
        sleepers[ticket] = (now.advanced(milliseconds: milliseconds), continuation)
        return true
    }

    /// The sleeper to be woken by the cancellation, if its sleep has begun.
    mutating func cancel(_ ticket: Int) -> Continuation? {
        if arriving[ticket] != nil { arriving[ticket] = true }
        return sleepers.removeValue(forKey: ticket)?.continuation
    }

    /// The sleepers whose time has come, the earliest end first.
    mutating func move(to moment: Timestamp) -> [Continuation] {
        uptime += max(0, moment.milliseconds(since: now))
        now = moment
        let due = sleepers.filter { $0.value.end <= moment }
            .sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
        for sleeper in due { sleepers[sleeper.key] = nil }
        return due.map(\.value.continuation)
    }

    /// Sets the clock. Time does not pass: whoever sleeps sleeps as long as before.
    mutating func step(milliseconds: Int64) {
        now = now.advanced(milliseconds: milliseconds)
        sleepers = sleepers.mapValues { ($0.end.advanced(milliseconds: milliseconds), $0.continuation) }
    }
}
