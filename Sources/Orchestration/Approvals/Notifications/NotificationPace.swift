internal import Primitives

/// The pauses of a stream of notifications.
enum NotificationPace {
    /// After this silence a stream counts as broken: three heartbeats.
    static let longestSilence = Duration.seconds(45)

    /// The longest pause before the next attempt.
    static let longestPause: Int64 = 60_000

    /// Returns the pause after failures in a row: one second, doubled with each further failure up to a minute, minus a
    /// random part of up to one half. Devices that lost their streams at the same time therefore do not return at the
    /// same time.
    ///
    /// - Parameter failures: The number of failures in a row, at least 1.
    static func pause(afterFailures failures: Int, random: any RandomSource) -> Duration {
        jittered(min(1_000 << min(failures - 1, 6), longestPause), random: random)
    }

    /// Returns an interval minus a random part of up to one half.
    static func jittered(_ milliseconds: Int64, random: any RandomSource) -> Duration {
        let draw = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let half = UInt64(max(milliseconds, 0)) / 2
        return .milliseconds(milliseconds - Int64(draw % (half + 1)))
    }
}
