internal import Primitives
internal import Synchronization

/// A push service: its notifications that are under way, its places for attempts, and its circuit breaker.
///
/// Each service has its own places. A service that hangs therefore delays the notifications of no other service.
final class PushService: Sendable {
    /// The number of failures in a row after which the service is down.
    static let failuresUntilDown = 10
    /// The time for which a service that is down gets no attempt. The attempts after it show whether it is back.
    static let pause = Duration.seconds(10)

    private struct State {
        var underWay = 0
        var running = 0
        var waiting: [AsyncStream<Void>.Continuation] = []
        var failures = 0
        var downUntil = Duration.zero

        var isDown: Bool { failures >= PushService.failuresUntilDown }
    }

    private let state = Mutex(State())

    /// The number of notifications that wait, are sent, or are to be repeated.
    var underWay: Int { state.withLock { $0.underWay } }

    /// The number of attempts that wait for a place: for tests.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns whether no notification is under way and the pause of a service that is down has ended.
    func isIdle(at now: Duration) -> Bool {
        state.withLock { $0.underWay == 0 && (!$0.isDown || $0.downUntil <= now) }
    }

    /// Counts a notification that is to be sent.
    ///
    /// - Returns: Whether the service has taken it; `false` when too many are under way.
    func add() -> Bool {
        state.withLock { state in
            guard state.underWay < Platform.waitingDeliveries else { return false }
            state.underWay += 1
            return true
        }
    }

    /// Ends a notification that was counted.
    func remove() { state.withLock { $0.underWay -= 1 } }

    /// Takes a place for an attempt, in the order of the calls. ``leave()`` gives it back.
    ///
    /// - Throws: `CancellationError` when the task was canceled. The place may be lost, because the deliveries of the
    ///   platform end with the task.
    func enter() async throws {
        let turn = state.withLock { state -> AsyncStream<Void>? in
            guard state.running >= Platform.concurrentDeliveries else {
                state.running += 1
                return nil
            }
            let (turn, continuation) = AsyncStream.makeStream(of: Void.self)
            state.waiting.append(continuation)
            return turn
        }
        // The stream ends when a place is handed over.
        if let turn { for await _ in turn {} }
        try Task.checkCancellation()
    }

    /// Gives a place back, to the attempt that has waited longest.
    func leave() {
        let next = state.withLock { state -> AsyncStream<Void>.Continuation? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.finish()
    }

    /// Returns whether an attempt may be made.
    func takesAttempt(at now: Duration) -> Bool { state.withLock { !$0.isDown || $0.downUntil <= now } }

    /// Notes the result of an attempt.
    ///
    /// - Returns: Whether the service is down from now on; nil without a change.
    func note(_ result: NotificationDelivery, at now: Duration) -> Bool? {
        state.withLock { state in
            switch result {
            case .deferred: return nil
            case .failed:
                state.failures += 1
                state.downUntil = now + Self.pause
                return state.failures == Self.failuresUntilDown ? true : nil
            case .delivered, .unregistered, .refused:
                defer { state.failures = 0 }
                return state.isDown ? false : nil
            }
        }
    }
}
