import Benchmark
import Crypto
import OneTimePassword
import Primitives

/// Codes from a key that is prepared once.
func preparedKeyBenchmarks(_ algorithm: HashAlgorithm) {
    let name = "otp-\(algorithm.label)-prepared"

    // Codes that do not depend on each other: the processor can overlap them.
    Benchmark("\(name)-throughput", configuration: .hotPath) { benchmark in
        let hotp = try HOTP(key: OneTimePasswordKey(copying: oneTimePasswordSeed, algorithm: algorithm))
        benchmark.measure {
            for counter in benchmark.scaledIterations { blackHole(hotp.code(counter: UInt64(counter))) }
        }
    }
    Benchmark("\(name)-throughput--portable", configuration: .hotPath) { benchmark in
        let seed = oneTimePasswordSeed
        let hotp = try HOTP(key: OneTimePasswordKey(seed.span, algorithm: algorithm, usesInstructions: false))
        benchmark.measure {
            for counter in benchmark.scaledIterations { blackHole(hotp.code(counter: UInt64(counter))) }
        }
    }
    blockBenchmark("\(name)-throughput--floor", algorithm, blocks: 2)
    peerBenchmark("\(name)-throughput--peer-swift-crypto-copied") { CopiedHMAC(algorithm) }
    peerBenchmark("\(name)-throughput--peer-swift-crypto-one-shot") { OneShotHMAC(algorithm) }
    #if BenchmarkPeers
        openSSLBenchmarks("\(name)-throughput", algorithm)
        peerBenchmark("\(name)-throughput--peer-liboath") { LibOATH(algorithm) }
    #endif

    // Each counter is computed from the code before.
    Benchmark("\(name)-latency", configuration: .hotPath) { benchmark in
        let hotp = try HOTP(key: OneTimePasswordKey(copying: oneTimePasswordSeed, algorithm: algorithm))
        benchmark.measure {
            var counter: UInt64 = 0
            for _ in benchmark.scaledIterations { counter = UInt64(hotp.code(counter: counter).number) }
            blackHole(counter)
        }
    }
    blockBenchmark("\(name)-latency--floor", algorithm, blocks: 2)

    // With the digits as text.
    Benchmark("\(name)-digits-throughput", configuration: .hotPath) { benchmark in
        let hotp = try HOTP(key: OneTimePasswordKey(copying: oneTimePasswordSeed, algorithm: algorithm))
        benchmark.measure {
            for counter in benchmark.scaledIterations { blackHole(hotp.code(counter: UInt64(counter)).digits) }
        }
    }
    Benchmark("\(name)-digits-latency", configuration: .hotPath) { benchmark in
        let hotp = try HOTP(key: OneTimePasswordKey(copying: oneTimePasswordSeed, algorithm: algorithm))
        benchmark.measure {
            var counter: UInt64 = 0
            for _ in benchmark.scaledIterations {
                counter = hotp.code(counter: counter).digits.utf8.first.map(UInt64.init) ?? 0
            }
            blackHole(counter)
        }
    }

    Benchmark("\(name)-totp-throughput", configuration: .hotPath) { benchmark in
        let totp = try TOTP(key: OneTimePasswordKey(copying: oneTimePasswordSeed, algorithm: algorithm))
        benchmark.measure {
            for second in benchmark.scaledIterations {
                blackHole(totp.code(at: Timestamp(secondsSinceEpoch: 30 * Int64(second))))
            }
        }
    }
    blockBenchmark("\(name)-totp-throughput--floor", algorithm, blocks: 2)

    Benchmark("\(name)-users", configuration: .hotPath) { benchmark in
        let users = try (0..<1000).map { try User(seed: oneTimePasswordSeed + [UInt8($0 & 0xFF)], algorithm) }
        benchmark.measure {
            for user in benchmark.scaledIterations { blackHole(users[user % users.count].totp.code(step: 1)) }
        }
    }
    blockBenchmark("\(name)-users--floor", algorithm, blocks: 2)
}

/// One of many users, with a prepared key.
private final class User: Sendable {
    let totp: TOTP

    init(seed: [UInt8], _ algorithm: HashAlgorithm) throws {
        totp = try TOTP(key: OneTimePasswordKey(copying: seed, algorithm: algorithm))
    }
}
