import Benchmark

extension Benchmark {
    /// Times `body` alone, not what the benchmark prepared before, and counts its allocations when somebody asked.
    func measure<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        startMeasurement()
        let before = AllocationCounter.count
        try body()
        let after = AllocationCounter.count
        stopMeasurement()
        enter(allocations: after - before)
    }

    /// The same for a body that suspends.
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
