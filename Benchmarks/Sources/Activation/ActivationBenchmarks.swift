import Benchmark
import Orchestration

/// A whole activation in one process: four round trips, both sides, a store in memory on both. scrypt costs what it costs
/// in tests, which is next to nothing: what is left is the key exchange, the channel and the signatures.
func activationBenchmarks() {
    activation("activation-classic", .off)
    activation("activation-hybrid", .required)

    Benchmark("activation-classic--floor", configuration: .slowPath) { benchmark in
        try benchmark.measure { () throws in try ActivationFloor.classic() }
    }
    if #available(macOS 26, iOS 26, *) {
        Benchmark("activation-hybrid--floor", configuration: .slowPath) { benchmark in
            try benchmark.measure { () throws in try ActivationFloor.hybrid() }
        }
    }
}

private func activation(_ name: String, _ postQuantum: PostQuantumPreference) {
    Benchmark(name, configuration: .slowPath) { benchmark in
        let alice = try await Stage().newcomer(postQuantum: postQuantum)
        try await benchmark.measure { try await alice.activate() }
    }
}
