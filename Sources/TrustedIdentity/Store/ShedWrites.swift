internal import Logging
internal import Primitives
internal import Synchronization

/// The writes that the store has refused because too many waited. They are logged together, once a second at most:
/// under load there are thousands, and nothing to repair.
final class ShedWrites: Sendable {
    /// The shortest time from one line to the next.
    static let interval = Duration.seconds(1)

    private struct State {
        var last: Duration?
        var count = 0
    }

    private let state = Mutex(State())
    private let time: any TimeSource
    private let logger: Logger
    private let metrics = PlatformMetrics()

    init(time: any TimeSource, logger: Logger) {
        self.time = time
        self.logger = logger
    }

    /// Counts a write, and logs the number since the last line when one is due.
    func add() {
        metrics.count(.shedWrites)
        let now = time.uptime()
        let count = state.withLock { state -> Int? in
            state.count += 1
            if let last = state.last, now - last < Self.interval { return nil }
            defer { state = State(last: now) }
            return state.count
        }
        guard let count else { return }
        logger.notice("store overloaded", metadata: ["store.shed-writes": "\(count)"])
    }
}
