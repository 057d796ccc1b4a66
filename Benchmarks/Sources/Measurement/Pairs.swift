import Benchmark
import Foundation

/// Pairs of benchmarks that run in turns, so that other load on the machine meets both alike.
///
/// `Benchmarks/ratios` sets `BENCHMARK_PAIRS` to a file with one pair of names a line, separated by a comma, and
/// `BENCHMARK_ROUNDS` to the number of rounds. The program then measures these pairs instead of what its arguments
/// say. Each round takes every pair once, for a short time, so that the rounds of a pair are spread over the whole run.
/// A line of the output is one pair of runs: the round, the place of the pair in the file, and the nanoseconds of both.
///
/// Pairs of which a benchmark is not registered, such as a peer that is not installed, are left out.
struct Pairs {
    private let pairs: [(place: Int, first: Benchmark, second: Benchmark)]
    private let rounds: Int

    /// The time that a round spends on a pair, and the minimum number of runs of both: once in each order.
    private static let duration = Duration.milliseconds(150)
    private static let minimum = 2

    /// Returns the pairs of the environment among the benchmarks that are registered; `nil` when there are none.
    init?(environment: [String: String], registered: [Benchmark]) {
        guard let path = environment["BENCHMARK_PAIRS"] else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            fatalError("BENCHMARK_PAIRS: \(path) cannot be read")
        }
        let byName = Dictionary(registered.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        pairs = text.split(separator: "\n").enumerated().compactMap { place, line in
            let names = line.split(separator: ",").map(String.init)
            guard names.count == 2, let first = byName[names[0]], let second = byName[names[1]] else { return nil }
            return (place, first, second)
        }
        rounds = environment["BENCHMARK_ROUNDS"].flatMap(Int.init) ?? 1
    }

    /// Measures all pairs and prints the times.
    func run() {
        for round in 0..<rounds {
            var lines = ""
            for (place, first, second) in pairs {
                for (one, other) in measure(first, second, startingWithSecond: round.isMultiple(of: 2)) {
                    lines += "\(round),\(place),\(one),\(other)\n"
                }
            }
            FileHandle.standardOutput.write(Data(lines.utf8))
        }
    }

    private func measure(
        _ first: Benchmark, _ second: Benchmark, startingWithSecond: Bool
    ) -> [(first: Double, second: Double)] {
        // The first runs after another pair find cold caches. Where a run is a single call, its preparation warms them.
        if first.configuration.scalingFactor != .one { _ = (time(first), time(second)) }
        var times: [(first: Double, second: Double)] = []
        let start = ContinuousClock.now
        var isSecondFirst = startingWithSecond
        repeat {
            if isSecondFirst {
                let other = time(second)
                times.append((time(first), other))
            } else {
                let one = time(first)
                times.append((one, time(second)))
            }
            isSecondFirst.toggle()
        } while times.count < Self.minimum || ContinuousClock.now - start < Self.duration
        return times
    }

    /// Runs a benchmark once and returns the nanoseconds of one call of what it measures.
    private func time(_ benchmark: Benchmark) -> Double {
        var start: ContinuousClock.Instant?
        var elapsed: Duration?
        benchmark.measurementPreSynchronization = { _ in start = .now }
        benchmark.measurementPostSynchronization = { _ in elapsed = start.map { .now - $0 } }
        benchmark.run()
        guard benchmark.failureReason == nil, let elapsed else {
            fatalError("\(benchmark.name): \(benchmark.failureReason ?? "nothing was measured")")
        }
        return elapsed / .nanoseconds(1) / Double(benchmark.configuration.scalingFactor.rawValue)
    }
}
