internal import CLibrary
internal import CPrimitives

/// A source of the time.
///
/// The SDK and the platform read the time only from the source in their configuration. Tests pass a source with a clock
/// that they control.
public protocol TimeSource: Sendable {
    /// Returns the current time. It may be earlier than on the previous call, because the clock of the machine can be
    /// set.
    func now() -> Timestamp

    /// Returns the time on a clock that cannot be set and that runs while the machine sleeps.
    ///
    /// The value is not a date. Only the difference between two values of one source is meaningful; it is never
    /// negative.
    func uptime() -> Duration

    /// Waits on the clock of this source.
    ///
    /// - Parameter duration: The time to wait, 0 or more.
    /// - Throws: `CancellationError` as soon as the task is canceled.
    func sleep(for duration: Duration) async throws

    /// Whether the clock is synchronized with a time service; nil if the source does not know.
    ///
    /// The default implementation returns nil.
    var isSynchronized: Bool? { get }
}

extension TimeSource {
    /// Nil: the source does not know.
    public var isSynchronized: Bool? { nil }
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
            // This clock runs while the machine sleeps. On Linux it does not, but another clock does.
            .milliseconds(Self.milliseconds(of: CLOCK_MONOTONIC))
        #else
            .milliseconds(Self.milliseconds(of: CLOCK_BOOTTIME))
        #endif
    }

    /// Waits on the continuous clock, which runs while the machine sleeps.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }

    /// Whether the kernel reports a synchronized clock. A service such as chrony or systemd-timesyncd notifies the
    /// kernel. About nine hours after the last notification, the kernel reports that the clock is not synchronized. On
    /// systems other than Linux, and where a system call filter forbids the query, the value is nil.
    public var isSynchronized: Bool? {
        let answer = clock_is_synchronized()
        return answer < 0 ? nil : answer == 1
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
