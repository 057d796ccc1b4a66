import Benchmark
import Primitives

/// Registers the budgets: the size of every command, the round trips of every flow, the statements of every decision.
func budgets() {
    exchangeBudgets()
    textBudgets()
    approvalBudgets()
    statementBudgets()
}

/// Figures that do not depend on the machine: bytes, round trips, statements.
///
/// `.ci/budgets` compares them with Benchmarks/Thresholds. A larger figure is a regression. A smaller one must be
/// written down, so that it is kept.
struct Budget {
    private(set) var figures: [(name: String, value: Int)] = []

    /// Adds a figure.
    ///
    /// - Parameters:
    ///   - name: Letters, digits and hyphens.
    ///   - value: The count.
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
    ///   - name: The name, which begins with `budget-`.
    ///   - figures: The names of all figures that `count` enters. The harness asks for them in advance.
    ///   - count: Performs once the work that is counted.
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

/// The lengths of the text forms, in characters, of the largest command with a bounded size (an approval request of
/// suite 1, 400 bytes) and of the pointer in a QR code (28 bytes).
func textBudgets() {
    Budget.benchmark("budget-text-forms", ["Base64URL-400", "Base45-400", "Base45-28", "Hex-400", "Base32-20"]) {
        let command = [UInt8](repeating: 0xA5, count: 400)
        $0.enter("Base64URL-400", Base64URL.encode(command).utf8.count)
        $0.enter("Base45-400", Base45.encode(command).utf8.count)
        $0.enter("Base45-28", Base45.encode(Array(command.prefix(28))).utf8.count)
        $0.enter("Hex-400", Hex.encode(command).utf8.count)
        $0.enter("Base32-20", Base32.encode(Array(command.prefix(20))).utf8.count)
    }
}
