import Benchmark

extension Benchmark.Configuration {
    /// For what takes at most a few microseconds: the body runs a thousand times (`benchmark.scaledIterations`) between
    /// two readings of the clock, so that the harness's own cost vanishes. What is printed is one run of the body.
    static var hotPath: Self {
        timed(in: .nanoseconds, scalingFactor: .kilo, for: .milliseconds(400))
    }

    /// For public-key operations: as above, because the time of a single one varies with what was in the caches.
    static var publicKeyPath: Self {
        timed(in: .microseconds, scalingFactor: .kilo, for: .milliseconds(2_000))
    }

    /// For what takes longer (scrypt, a durable write, a whole flow): the body runs once.
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
    /// How often the body allocated. There only when `Benchmarks/allocations` has loaded its counter.
    static var allocations: Self { .custom("Allocations") }

    /// How often the body ran for them.
    static var runs: Self { .custom("Runs") }
}
