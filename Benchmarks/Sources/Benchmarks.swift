import Benchmark
import OneTimePassword

/// The table of contents: what is measured, a room each.
let benchmarks: @Sendable () -> Void = {
    oneTimePasswordBenchmarks()
}
