internal import CLibrary

/// A source of the time.
///
/// The SDK and the platform read the time from the source in their configuration only. Tests pass one with a clock that
/// they move.
public protocol TimeSource: Sendable {
    /// Returns the current time. It may be earlier than at the last call, because the clock of the machine can be set.
    func now() -> Timestamp

    /// Returns the time on a clock that cannot be set and that runs while the machine sleeps.
    ///
    /// The value is no date. Only the difference between two values of one source has a meaning; it is never negative.
    func uptime() -> Duration

    /// Waits on the clock of this source.
    ///
    /// - Parameter duration: The time to wait, 0 or more.
    /// - Throws: `CancellationError` as soon as the task is canceled.
    func sleep(for duration: Duration) async throws
}

/// The clocks of the system.
public struct SystemTimeSource: TimeSource {
    /// Creates a source that reads the clocks of the system.
    public init() {}

    /// Returns the time of day of the system.
    public func now() -> Timestamp { Timestamp(millisecondsSinceEpoch: Self.milliseconds(of: CLOCK_REALTIME)) }

    /// Returns the time since the start of the machine, to the millisecond, including the time that it slept.
    public func uptime() -> Duration {
        #if canImport(Darwin)
            // Runs while the machine sleeps. On Linux it does not, and another clock does.
            .milliseconds(Self.milliseconds(of: CLOCK_MONOTONIC))
        #else
            .milliseconds(Self.milliseconds(of: CLOCK_BOOTTIME))
        #endif
    }

    /// Waits on the continuous clock, which runs while the machine sleeps.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
