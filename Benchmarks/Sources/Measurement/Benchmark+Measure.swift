import Benchmark

extension Benchmark {
    /// Measures the time of `body`, without the preparation of the benchmark, and its allocations where they are
    /// counted.
    func measure<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        startMeasurement()
        let before = AllocationCounter.count
        try body()
        let after = AllocationCounter.count
        stopMeasurement()
        enter(allocations: after - before)
    }

    /// Measures the time and the allocations of a body that suspends.
    func measure(_ body: () async throws -> Void) async throws {
        startMeasurement()
        let before = AllocationCounter.count
        try await body()
        let after = AllocationCounter.count
        stopMeasurement()
        enter(allocations: after - before)
    }

    private func enter(allocations: Int) {
        guard AllocationCounter.isLoaded else { return }
        measurement(.allocations, allocations)
        measurement(.runs, scaledIterations.count)
    }
}
