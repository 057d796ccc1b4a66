import Benchmark
import Crypto
import OneTimePassword

/// The search for a wrong code in a window. A correct code takes as long: all codes are computed and compared.
func windowBenchmarks(_ algorithm: HashAlgorithm, _ places: Int) {
    let name = "otp-\(algorithm.label)-window-\(places)"
    let typed = "000000"

    Benchmark(name, configuration: .hotPath) { benchmark in
        let hotp = try HOTP(key: OneTimePasswordKey(copying: oneTimePasswordSeed, algorithm: algorithm))
        benchmark.measure {
            for counter in benchmark.scaledIterations {
                blackHole(hotp.verify(typed, from: UInt64(counter), lookAhead: places - 1))
            }
        }
    }
    blockBenchmark("\(name)--floor", algorithm, blocks: 2 * places)
    peerBenchmark("\(name)--peer-swift-crypto-copied", places: places) { CopiedHMAC(algorithm) }
    #if BenchmarkPeers
        peerBenchmark("\(name)--peer-openssl-evp-mac", places: places) { try OpenSSLMAC(algorithm) }
        if algorithm == .sha1 {
            Benchmark("\(name)--peer-liboath", configuration: .hotPath) { benchmark in
                let peer = LibOATH(algorithm)
                benchmark.measure {
                    for counter in benchmark.scaledIterations {
                        blackHole(peer.verify(typed, from: UInt64(counter), places: places))
                    }
                }
            }
        }
    #endif
}
