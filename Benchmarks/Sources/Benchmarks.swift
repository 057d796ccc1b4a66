import Benchmark

/// The table of contents: what is measured, a room each.
let benchmarks: @Sendable () -> Void = {
    budgets()
    oneTimePasswordBenchmarks()
    commandBenchmarks()
    channelBenchmarks()
    activationBenchmarks()
    authenticationBenchmarks()
    storeBenchmarks()
}
