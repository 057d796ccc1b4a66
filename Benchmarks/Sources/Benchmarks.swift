// SAFETY: the list of registered benchmarks is read after the registration, on the thread that registered them.
@unsafe @preconcurrency import Benchmark
import Foundation

/// Registers every benchmark.
///
/// One of these variables in the environment makes the program do something else instead of running the benchmarks:
///
/// - `BENCHMARK_LIST`: prints the names.
/// - `BENCHMARK_BUDGETS`: prints the figures of the budgets. See `.ci/budgets`.
/// - `BENCHMARK_PAIRS`: measures pairs of benchmarks. See ``Pairs`` and `Benchmarks/ratios`.
let benchmarks: @Sendable () -> Void = {
    budgets()
    oneTimePasswordBenchmarks()
    commandBenchmarks()
    channelBenchmarks()
    activationBenchmarks()
    authenticationBenchmarks()
    storeBenchmarks()
    policyBenchmarks()

    let (environment, registered) = (ProcessInfo.processInfo.environment, Benchmark.benchmarks)
    if environment["BENCHMARK_LIST"] != nil {
        for benchmark in registered { print(benchmark.name) }
        exit(0)
    }
    if environment["BENCHMARK_BUDGETS"] != nil {
        Budget.printFigures(of: registered)
        exit(0)
    }
    if let pairs = Pairs(environment: environment, registered: registered) {
        pairs.run()
        exit(0)
    }
}
