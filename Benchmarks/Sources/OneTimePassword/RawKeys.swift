import Benchmark
import Crypto
import OneTimePassword
import Primitives

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
