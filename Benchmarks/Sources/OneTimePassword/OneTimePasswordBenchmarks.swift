import Benchmark
import OneTimePassword

/// Registers one-time passwords, each with its floor, its portable path and its peers.
func oneTimePasswordBenchmarks() {
    for algorithm in HashAlgorithm.allCases {
        preparedKeyBenchmarks(algorithm)
        rawKeyBenchmarks(algorithm)
        for places in [3, 11, 101] { windowBenchmarks(algorithm, places) }
    }
    questionBenchmarks()
    agreementBudget()
}

extension HashAlgorithm {
    /// The name of the algorithm in the names of benchmarks.
    var label: String { rawValue.lowercased() }
}

/// The seed of RFC 4226.
let oneTimePasswordSeed = Array("12345678901234567890".utf8)
