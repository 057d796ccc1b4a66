/// The seconds until something ends, counted down on a line of the terminal.
package enum Countdown {
    /// Shows the whole seconds that are left, rounded up, once a second until none is left.
    ///
    /// - Parameters:
    ///   - duration: The time that is left.
    ///   - uptime: Returns the time since some fixed moment. A clock that is set during the countdown does not change
    ///     it.
    ///   - sleep: Waits.
    ///   - show: Shows the seconds: first those of the whole time, last 0.
    /// - Throws: What `sleep` throws, such as a `CancellationError`.
    package static func run(
        for duration: Duration, uptime: () -> Duration, sleep: (Duration) async throws -> Void,
        show: (Int64) -> Void
    ) async throws {
        let end = uptime() + duration
        while true {
            let left = end - uptime()
            let seconds = max(0, Int64((left / .seconds(1)).rounded(.up)))
            show(seconds)
            guard seconds > 0 else { return }
            // To the moment at which one second fewer is left.
            try await sleep(left - .seconds(seconds - 1))
        }
    }

    /// Returns the text that replaces the last line of a terminal.
    package static func line(_ text: String) -> String { "\r\(text)\u{1B}[K" }
}
