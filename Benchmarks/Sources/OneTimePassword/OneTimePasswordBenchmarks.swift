import Benchmark
import Crypto
import OneTimePassword
import Primitives

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

/// A key that is prepared, used for one code, and wiped.
func rawKeyBenchmarks(_ algorithm: HashAlgorithm) {
    let name = "otp-\(algorithm.label)-raw-throughput"

    Benchmark(name, configuration: .hotPath) { benchmark in
        let seed = SecretBytes(copying: oneTimePasswordSeed)
        try benchmark.measure {
            for counter in benchmark.scaledIterations {
                let hotp = try HOTP(key: OneTimePasswordKey(seed, algorithm: algorithm))
                blackHole(hotp.code(counter: UInt64(counter)).digits)
            }
        }
    }
    // Two blocks for the paddings of the key, and two for the code.
    blockBenchmark("\(name)--floor", algorithm, blocks: 4)
    peerBenchmark("\(name)--peer-swift-crypto-one-shot") { OneShotHMAC(algorithm, makesKeys: true) }
    #if BenchmarkPeers
        peerBenchmark("\(name)--peer-liboath") { LibOATH(algorithm) }
        peerBenchmark("\(name)--peer-openssl-hmac") { OpenSSLOneShot(algorithm) }
    #endif
}

extension HashAlgorithm {
    /// The name of the algorithm in the names of benchmarks.
    var label: String { rawValue.lowercased() }
}

/// The seed of RFC 4226.
let oneTimePasswordSeed = Array("12345678901234567890".utf8)
