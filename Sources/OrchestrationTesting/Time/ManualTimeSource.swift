public import Primitives
internal import Synchronization

/// A clock that moves only when a test moves it.
///
/// A sleep ends when the time is moved to or past its end. Sleeps end in the order of their ends. Moving the time
/// backward ends no sleep.
///
/// ```swift
/// let time = ManualTimeSource()
/// async let waited: Void = time.sleep(for: .milliseconds(500))
/// await time.sleepers(1)              // the sleep has begun
/// time.advance(milliseconds: 500)     // and ends
/// ```
public final class ManualTimeSource: TimeSource {
    private let queue: Mutex<SleepQueue>
    private let synchronized = Mutex<Bool?>(nil)

    /// Creates a clock.
    ///
    /// - Parameter start: The time that it shows, 2026-01-01T00:00:00Z by default.
    public init(at start: Timestamp = Timestamp(secondsSinceEpoch: 1_767_225_600)) {
        queue = Mutex(SleepQueue(now: start))
    }

    /// Returns the time that the test set last.
    public func now() -> Timestamp { queue.withLock { $0.now } }

    /// Returns the total time by which the test has moved the clock forward. Neither ``step(milliseconds:)`` nor a move
    /// backward counts.
    public func uptime() -> Duration { .milliseconds(queue.withLock { $0.uptime }) }

    /// Whether the clock is synchronized, as the test last set it; nil at first.
    public var isSynchronized: Bool? {
        get { synchronized.withLock { $0 } }
        set { synchronized.withLock { $0 = newValue } }
    }

    /// The number of tasks that sleep at this moment.
    public var sleeperCount: Int { queue.withLock { $0.sleeperCount } }

    /// Moves the time and ends the sleeps that are over.
    ///
    /// - Parameter milliseconds: The milliseconds to move; negative ones move the clock back.
    public func advance(milliseconds: Int64) {
        resume { $0.move(to: $0.now.advanced(milliseconds: milliseconds)) }
    }

    /// Moves the time and ends the sleeps that are over.
    ///
    /// - Parameter seconds: The seconds to move; negative ones move the clock back.
    public func advance(seconds: Int64) {
        resume { $0.move(to: $0.now.advanced(seconds: seconds)) }
    }

    /// Sets the time and ends the sleeps that are over.
    public func set(to moment: Timestamp) {
        resume { $0.move(to: moment) }
    }

    /// Changes the time that the clock shows, as an administrator sets the clock of a machine: ``now()`` jumps, but no
    /// time passes and no sleep ends.
    public func step(milliseconds: Int64) {
        queue.withLock { $0.step(milliseconds: milliseconds) }
    }

    /// Waits until at least that many tasks sleep. A move of the time then reaches them.
    ///
    /// A sleep that lasts counts. A sleep that ends within a millisecond of real time, such as the time limit of a call
    /// that fails at once, does not. The wait uses no processor time, and ends early when the task is canceled.
    public func sleepers(_ count: Int) async {
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let observer = queue.withLock { $0.addObserver(change) }
        defer { queue.withLock { $0.removeObserver(observer) } }
        // The first check looks at the sleeps of this moment. Each later check follows a sleep that has begun.
        change.yield()
        for await _ in changes {
            let begun = queue.withLock(\.sleeping)
            guard begun.count >= count else { continue }
            try? await Task.sleep(for: .milliseconds(1))
            // On a busy machine, the task that ends a sleep may have to wait longer than that before it runs.
            for _ in 0..<20 { await Task.yield() }
            guard queue.withLock({ begun.intersection($0.sleeping).count }) < count else { return }
        }
    }

    /// Waits until the clock was moved by the duration. For 0 or less, the method does not wait.
    ///
    /// - Throws: `CancellationError` when the task is canceled.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        let milliseconds = duration.wholeMilliseconds
        guard milliseconds > 0 else { return }
        let sleeper = queue.withLock { $0.announce() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let observers = queue.withLock { $0.begin(sleeper, milliseconds: milliseconds, continuation) }
                guard let observers else { return continuation.resume(throwing: CancellationError()) }
                for observer in observers { observer.yield() }
            }
        } onCancel: {
            queue.withLock { $0.cancel(sleeper) }?.resume(throwing: CancellationError())
        }
    }

    /// Resumes sleepers outside of the lock.
    private func resume(_ due: (inout sending SleepQueue) -> [SleepQueue.Continuation]) {
        for sleeper in queue.withLock({ due(&$0) }) { sleeper.resume() }
    }
}

/// The time of a ``ManualTimeSource`` and its sleepers.
private struct SleepQueue {
    typealias Continuation = CheckedContinuation<Void, any Error>

    private(set) var now: Timestamp
    /// The milliseconds that the time has moved forward, independently of what the clock was set to.
    private(set) var uptime: Int64 = 0
    private var sleepers: [Int: (end: Timestamp, continuation: Continuation)] = [:]

    /// The sleepers without a continuation yet, and whether their task was canceled meanwhile.
    private var announced: [Int: Bool] = [:]
    private var latest = 0

    /// The tests that wait for sleepers.
    private var observers: [Int: AsyncStream<Void>.Continuation] = [:]

    init(now: Timestamp) {
        self.now = now
    }

    var sleeperCount: Int { sleepers.count }

    /// The numbers of the sleeps that have begun and not ended.
    var sleeping: Set<Int> { Set(sleepers.keys) }

    /// Adds an observer, to which each sleep that begins is reported.
    mutating func addObserver(_ observer: AsyncStream<Void>.Continuation) -> Int {
        latest += 1
        observers[latest] = observer
        return latest
    }

    mutating func removeObserver(_ number: Int) { observers[number] = nil }

    /// Returns the number of a sleep that is about to begin.
    mutating func announce() -> Int {
        latest += 1
        announced[latest] = false
        return latest
    }

    /// Begins a sleep.
    ///
    /// - Returns: The observers to inform; nil when the sleep does not begin, because its task was canceled meanwhile.
    mutating func begin(
        _ sleeper: Int, milliseconds: Int64, _ continuation: Continuation
    ) -> [AsyncStream<Void>.Continuation]? {
        guard announced.removeValue(forKey: sleeper) == false else { return nil }
        sleepers[sleeper] = (now.advanced(milliseconds: milliseconds), continuation)
        return Array(observers.values)
    }

    /// Ends a sleep because its task is canceled.
    ///
    /// - Returns: The continuation to resume, if the sleep has begun.
    mutating func cancel(_ sleeper: Int) -> Continuation? {
        if announced[sleeper] != nil { announced[sleeper] = true }
        return sleepers.removeValue(forKey: sleeper)?.continuation
    }

    /// Moves the time.
    ///
    /// - Returns: The continuations of the sleeps that are over, the earliest end first.
    mutating func move(to moment: Timestamp) -> [Continuation] {
        uptime += max(0, moment.milliseconds(since: now))
        now = moment
        let due = sleepers.filter { $0.value.end <= moment }
            .sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
        for sleeper in due { sleepers[sleeper.key] = nil }
        return due.map(\.value.continuation)
    }

    /// Sets the clock without letting time pass: each sleep lasts as long as before.
    mutating func step(milliseconds: Int64) {
        now = now.advanced(milliseconds: milliseconds)
        sleepers = sleepers.mapValues { ($0.end.advanced(milliseconds: milliseconds), $0.continuation) }
    }
}
