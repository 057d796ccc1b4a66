/// The seconds until something ends, counted down on a line of the terminal.
package enum Countdown {
    /// Shows the remaining whole seconds, rounded up, once a second until none remain.
    ///
    /// - Parameters:
    ///   - duration: The remaining time.
    ///   - uptime: Returns the time since a fixed moment. Setting the clock during the countdown does not change it.
    ///   - sleep: Waits.
    ///   - show: Shows the seconds, from the whole duration down to 0.
    /// - Throws: The errors of `sleep`, such as a `CancellationError`.
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
            // The wait ends when one second fewer remains.
            try await sleep(left - .seconds(seconds - 1))
        }
    }

    /// Returns the text that replaces the last line of a terminal.
    package static func line(_ text: String) -> String { "\r\(text)\u{1B}[K" }
}
