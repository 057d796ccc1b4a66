public import Primitives
internal import Synchronization

/// A clock that stands still until a test moves it.
///
/// Whoever sleeps on it is woken when the time is moved to or past the end of the sleep, in the order of the ends.
/// Moving it backwards, as a machine's clock can step, wakes nobody.
///
/// ```swift
/// let time = ManualTimeSource()
/// async let waited: Void = time.sleep(milliseconds: 500)
/// await time.sleepers(1)              // the sleep has begun
/// time.advance(milliseconds: 500)     // and ends
/// ```
public final class ManualTimeSource: TimeSource {
    private let dormitory: Mutex<Dormitory>

    /// A clock that shows a moment.
    ///
    /// - Parameter start: 2026-01-01T00:00:00Z unless told otherwise.
    public init(at start: Timestamp = Timestamp(secondsSinceEpoch: 1_767_225_600)) {
        dormitory = Mutex(Dormitory(now: start))
    }

    /// The moment that the test set last.
    public func now() -> Timestamp {
        dormitory.withLock { $0.now }
    }

    /// How far the test has moved the time in all. Neither ``step(milliseconds:)`` nor a move backwards counts.
    public func uptime() -> Int64 {
        dormitory.withLock { $0.uptime }
    }

    /// How many tasks sleep at this moment.
    public var sleeperCount: Int {
        dormitory.withLock { $0.sleeperCount }
    }

    /// Moves the time by some milliseconds and wakes whose sleep is over.
    ///
    /// - Parameter milliseconds: negative ones step the clock back.
    public func advance(milliseconds: Int64) {
        let woken = dormitory.withLock { $0.move(to: $0.now.advanced(milliseconds: milliseconds)) }
        for sleeper in woken { sleeper.resume() }
    }

    /// Moves the time by some seconds and wakes whose sleep is over.
    ///
    /// - Parameter seconds: negative ones step the clock back.
    public func advance(seconds: Int64) {
        let woken = dormitory.withLock { $0.move(to: $0.now.advanced(seconds: seconds)) }
        for sleeper in woken { sleeper.resume() }
    }

    /// Sets the clock as somebody sets a machine's: ``now()`` jumps, no time passes, and nobody is woken.
    public func step(milliseconds: Int64) {
        dormitory.withLock { $0.step(milliseconds: milliseconds) }
    }

    /// Sets the time and wakes whose sleep is over.
    public func set(to moment: Timestamp) {
        let woken = dormitory.withLock { $0.move(to: moment) }
        for sleeper in woken { sleeper.resume() }
    }

    /// Waits until at least that many tasks sleep, so that a test knows that moving the time will reach them.
    ///
    /// It polls by yielding, because the sleepers are tasks of the code under test that nobody else can await. It ends
    /// early when the task is canceled.
    public func sleepers(_ count: Int) async {
        while sleeperCount < count, !Task.isCancelled { await Task.yield() }
    }

    /// Waits until the clock was moved that far from where it stands now. 0 or less does not wait.
    public func sleep(milliseconds: Int64) async throws {
        try Task.checkCancellation()
        guard milliseconds > 0 else { return }
        let ticket = dormitory.withLock { $0.ticket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let entered = dormitory.withLock { $0.enter(ticket, milliseconds: milliseconds, continuation) }
                if !entered { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            dormitory.withLock { $0.cancel(ticket) }?.resume(throwing: CancellationError())
        }
    }
}
