/// Where the time comes from.
///
/// The SDK and the platform read the time from the source they were given and from nowhere else; tests hand in one
/// that they move by hand.
public protocol TimeSource: Sendable {
    /// The time now. It may step backwards when the machine's clock is set; callers must bear that.
    func now() -> Timestamp

    /// Milliseconds on a clock that nobody sets and that goes on while the machine sleeps. It has no date: only the
    /// difference between two readings of one source means something, and it is never negative.
    func uptime() -> Int64

    /// Waits, by this source's idea of time.
    ///
    /// - Parameter milliseconds: how long, 0 or more.
    /// - Throws: `CancellationError`, at once, when the task is canceled.
    func sleep(milliseconds: Int64) async throws
}

/// The system's clock.
public struct SystemTimeSource: TimeSource {
    /// Makes a source that reads the system's clock.
    public init() {}

    /// The system's time of day, with the precision of the system's clock.
    public func now() -> Timestamp {
        let (seconds, milliseconds) = Self.sinceEpoch()
        return Timestamp(millisecondsSinceEpoch: seconds * 1000 + milliseconds)
    }

    /// The system's monotonic clock, from a moment that the system chose.
    public func uptime() -> Int64 { Self.sinceStart() }

    /// Suspends the task on the continuous clock, which goes on while the machine sleeps.
    public func sleep(milliseconds: Int64) async throws {
        try await Task.sleep(for: .milliseconds(milliseconds), clock: .continuous)
    }
}
