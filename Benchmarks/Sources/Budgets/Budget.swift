import Benchmark

/// Figures that do not depend on the machine: bytes, round trips, statements.
///
/// `.ci/budgets` compares them with Benchmarks/Thresholds. A larger figure is a regression. A smaller one has to be written
/// down, so that it is kept.
struct Budget {
    private(set) var figures: [(name: String, value: Int)] = []

    /// Adds a figure.
    ///
    /// - Parameters:
    ///   - name: letters, digits and hyphens.
    ///   - value: the count.
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
    ///   - name: the name, which begins with `budget-`.
    ///   - figures: the names of all figures that `count` enters. The harness asks for them in advance.
    ///   - count: performs once the work that is counted.
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

    /// Runs the budgets among some benchmarks and prints a line for each figure: the budget, the figure and its value.
    static func printFigures(of registered: [Benchmark]) {
        for benchmark in registered where benchmark.name.hasPrefix("budget-") {
            let name = benchmark.name
            benchmark.customMetricMeasurement = { metric, value in print("\(name),\(metric.description),\(value)") }
            benchmark.run()
            if let reason = benchmark.failureReason { fatalError("\(name): \(reason)") }
        }
    }

    /// Returns the names of the figures of some exchanges.
    static func exchanges(_ count: Int) -> [String] {
        ["Round-trips"] + (0..<count).flatMap { ["Step-\($0 + 1)-request-bytes", "Step-\($0 + 1)-answer-bytes"] }
    }
}
