/// The times of all logins, in milliseconds.
struct Latencies: Sendable {
    private var toEvent: [Double] = []
    private var toEnd: [Double] = []

    /// Enters a login.
    ///
    /// - Parameters:
    ///   - start: Before the login was sent.
    ///   - event: When its pointer arrived on the stream.
    ///   - approval: Before the user's approval was authenticated, signed and sent.
    ///   - end: When the answer to the login had arrived.
    mutating func enter(
        start: ContinuousClock.Instant, event: ContinuousClock.Instant, approval: ContinuousClock.Instant,
        end: ContinuousClock.Instant
    ) {
        toEvent.append(start.duration(to: event) / .milliseconds(1))
        toEnd.append(approval.duration(to: end) / .milliseconds(1))
    }

    /// Prints the table.
    ///
    /// - Returns: Whether the 99th percentiles meet the goal.
    func report(goal: Double) -> Bool {
        print("| \(toEvent.count) logins | median ms | 99 % ms | most ms |")
        print("| --- | --- | --- | --- |")
        let rows = [("login to the event on the stream", toEvent), ("approval to the end of the login", toEnd)]
        var isMet = true
        for (name, times) in rows {
            let sorted = times.sorted()
            let values = [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], sorted[sorted.count - 1]]
            print("| \(name) | \(values.map { String(($0 * 100).rounded() / 100) }.joined(separator: " | ")) |")
            if values[1] > goal { isMet = false }
        }
        print("goal: 99 % within \(goal) ms: \(isMet ? "met" : "missed")")
        return isMet
    }
}
