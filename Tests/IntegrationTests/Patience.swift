import Testing

/// A bounded wait for what another task or process does.
enum Patience {
    /// Waits until a condition holds, and records an issue after ten minutes.
    ///
    /// - Parameter what: What is missing when the time is over.
    static func wait(for what: String, until condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(600))
        while try await !condition() {
            try #require(.now < end, "there is no \(what) after ten minutes")
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
