import Benchmark
import CHashBlocks
import OneTimePassword

#if BenchmarkPeers
    import COpenSSL
#endif

/// Registers the serial limit: a number of blocks, each of which depends on the one before.
///
/// The block functions are those of this package, with the instructions of the processor. For SHA-512, OpenSSL's
/// function is used where it is installed, because it is faster.
func blockBenchmark(_ name: String, _ algorithm: HashAlgorithm, blocks: Int) {
    Benchmark(name, configuration: .hotPath) { benchmark in
        let features = hash_blocks_features()
        let block = [UInt8](repeating: 0x36, count: 128)
        var words = [UInt32](repeating: 1, count: 8)
        var longWords = [UInt64](repeating: 1, count: 8)
        #if BenchmarkPeers
            var context = SHA512_CTX()
            unsafe SHA512_Init(&context)
        #endif
        benchmark.measure {
            for _ in benchmark.scaledIterations {
                for _ in 0..<blocks {
                    switch algorithm {
                    case .sha1: unsafe hash_blocks_sha1(features, &words, block, 1)
                    case .sha256: unsafe hash_blocks_sha256(features, &words, block, 1)
                    case .sha512:
                        #if BenchmarkPeers
                            unsafe SHA512_Transform(&context, block)
                        #else
                            unsafe hash_blocks_sha512(features, &longWords, block, 1)
                        #endif
                    }
                }
            }
        }
        blackHole(words)
        longWords[0] += 1
        blackHole(longWords)
    }
}
