import Foundation

/// Offers requests at a fixed rate, whatever the time of their answers.
enum OpenLoop {
    /// Offers requests and waits for their answers.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - rate: The number of requests a second.
    ///   - request: Sends the request of a number and returns whether it succeeded.
    static func offer(
        _ count: Int, at rate: Int, _ request: @escaping @Sendable (Int) async -> Bool
    ) async -> Outcome {
        let start = ContinuousClock.now
        let answers = await withTaskGroup(of: (isGood: Bool, milliseconds: Double, end: Duration).self) { group in
            for number in 0..<count {
                try? await Task.sleep(until: start + .seconds(Double(number) / Double(rate)), clock: .continuous)
                group.addTask {
                    let begin = ContinuousClock.now
                    let isGood = await request(number)
                    let now = ContinuousClock.now
                    return (isGood, begin.duration(to: now).milliseconds, start.duration(to: now))
                }
            }
            var answers: [(isGood: Bool, milliseconds: Double, end: Duration)] = []
            for await answer in group { answers.append(answer) }
            return answers
        }
        let seconds = Double(count) / Double(rate)
        // An answer after the end of the phase was not given in time.
        let timely = answers.count { $0.isGood && $0.end <= .seconds(seconds + 1) }
        return Outcome(
            rate: Double(timely) / seconds, failed: answers.count { !$0.isGood },
            milliseconds: answers.map(\.milliseconds).sorted())
    }

    /// The answers to the requests of a phase.
    struct Outcome: Sendable {
        /// The number of successful requests a second.
        let rate: Double
        let failed: Int
        /// The times of all answers, ascending.
        let milliseconds: [Double]

        /// Returns a row of a table.
        func row(_ name: String) -> String {
            let values = [rate, milliseconds[milliseconds.count / 2], milliseconds[milliseconds.count * 99 / 100]]
            let texts = values.map { String(($0 * 10).rounded() / 10) }
            return "| \(name) | \(texts.joined(separator: " | ")) | \(failed) |"
        }
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
