import Benchmark
import OneTimePassword
import Primitives

/// OCRA for a message of 188 bytes (suite, counter, question, hash of a PIN): four blocks, and one for the outer hash.
func questionBenchmarks() {
    let suite = "OCRA-1:HOTP-SHA1-6:C-QN08-PSHA1"
    Benchmark("otp-ocra", configuration: .hotPath) { benchmark in
        let ocra = try OCRA(
            suite: OCRA.Suite(suite), key: OneTimePasswordKey(copying: oneTimePasswordSeed),
            pin: OCRA.PIN(SecretBytes(copying: "1234".utf8)))
        let question = "12345678"
        try benchmark.measure {
            for counter in benchmark.scaledIterations {
                blackHole(try ocra.code(for: .init(.challenge(question), counter: UInt64(counter))))
            }
        }
    }
    blockBenchmark("otp-ocra--floor", .sha1, blocks: 5)
    peerBenchmark("otp-ocra--peer-swift-crypto-copied") { CopiedHMAC(.sha1, messageByteCount: 188) }
    peerBenchmark("otp-ocra--peer-swift-crypto-one-shot") { OneShotHMAC(.sha1, messageByteCount: 188) }
    #if BenchmarkPeers
        peerBenchmark("otp-ocra--peer-openssl-evp-mac") { try OpenSSLMAC(.sha1, messageByteCount: 188) }
    #endif

    // The platform's own suite, whose question is the SHA-256 of the signed data.
    Benchmark("otp-ocra-hashed", configuration: .hotPath) { benchmark in
        let ocra = try OCRA(
            suite: .hashedSignature, key: OneTimePasswordKey(copying: oneTimePasswordSeed, algorithm: .sha256))
        let question = String(repeating: "0123456789abcdef", count: 4)
        try benchmark.measure {
            for counter in benchmark.scaledIterations {
                blackHole(try ocra.code(for: .init(.signature(question), counter: UInt64(counter))))
            }
        }
    }
    blockBenchmark("otp-ocra-hashed--floor", .sha256, blocks: 4)
}
