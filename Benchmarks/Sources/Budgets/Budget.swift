import Benchmark

/// Figures that do not depend on the machine: bytes, round trips, statements. `.ci/budgets` compares them with
/// Benchmarks/Thresholds. More is a regression; less is to be written down, too, so that it stays.
///
/// The harness keeps three significant digits: up to 2047 a figure is exact.
struct Budget {
    private(set) var figures: [(name: String, value: Int)] = []

    /// Writes a figure down.
    ///
    /// - Parameters:
    ///   - name: letters, digits and hyphens. The harness loses the thresholds of other names.
    ///   - value: what is counted.
    mutating func enter(_ name: String, _ value: Int) {
        figures.append((name, value))
    }

    mutating func enter(_ exchanges: [RecordingTransport.Exchange]) {
        enter("Round-trips", exchanges.count)
        for (index, exchange) in exchanges.enumerated() {
            enter("Step-\(index + 1)-request-bytes", exchange.requestBytes)
            enter("Step-\(index + 1)-answer-bytes", exchange.answerBytes)
        }
    }

    /// Registers the benchmark of a budget.
    ///
    /// - Parameters:
    ///   - name: begins with `budget-`.
    ///   - figures: the names of all figures that `count` enters. The harness wants to know them beforehand.
    ///   - count: does what is counted, once.
    static func benchmark(
        _ name: String, _ figures: [String], count: @escaping @Sendable (inout Budget) async throws -> Void
    ) {
        Benchmark(
            name,
            configuration: .init(
                metrics: figures.map { .custom($0) }, warmupIterations: 0, maxDuration: .seconds(60), maxIterations: 1)
        ) { benchmark in
            var budget = Budget()
            try await count(&budget)
            guard budget.figures.map(\.name) == figures else {
                throw Unexpected("\(name) counted \(budget.figures.map(\.name))")
            }
            for figure in budget.figures { benchmark.measurement(.custom(figure.name), figure.value) }
        }
    }

    /// The names of the figures of so many exchanges.
    static func exchanges(_ count: Int) -> [String] {
        ["Round-trips"] + (0..<count).flatMap { ["Step-\($0 + 1)-request-bytes", "Step-\($0 + 1)-answer-bytes"] }
    }
}
