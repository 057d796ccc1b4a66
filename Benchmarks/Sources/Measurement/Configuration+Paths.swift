import Benchmark

extension Benchmark.Configuration {
    /// For calls of at most a few microseconds. The body runs a thousand times (`benchmark.scaledIterations`) between
    /// two readings of the clock, so that the cost of the harness is negligible. The harness prints the time of one
    /// run.
    static var hotPath: Self {
        timed(in: .nanoseconds, scalingFactor: .kilo, for: .milliseconds(400))
    }

    /// For public-key operations. The body also runs a thousand times, because the time of one run depends on the
    /// caches.
    static var publicKeyPath: Self {
        timed(in: .microseconds, scalingFactor: .kilo, for: .milliseconds(2_000))
    }

    /// For longer calls, such as scrypt, a durable write or a whole flow. The body runs once.
    static var slowPath: Self {
        timed(in: .microseconds, scalingFactor: .one, for: .milliseconds(1_500))
    }

    private static func timed(
        in units: BenchmarkTimeUnits, scalingFactor: BenchmarkScalingFactor, for duration: Duration
    ) -> Self {
        Self(
            metrics: AllocationCounter.isLoaded ? [.wallClock, .allocations, .runs] : [.wallClock],
            timeUnits: units, warmupIterations: 3, scalingFactor: scalingFactor, maxDuration: duration,
            maxIterations: 20_000)
    }
}

extension BenchmarkMetric {
    /// The number of allocations of the body. Measured only when `Benchmarks/allocations` has loaded its counter.
    static var allocations: Self { .custom("Allocations") }

    /// The number of runs of the body in which these allocations happened.
    static var runs: Self { .custom("Runs") }
}
