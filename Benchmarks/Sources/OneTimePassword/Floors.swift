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
        let hasInstructions = hash_blocks_has_instructions()
        let block = [UInt8](repeating: 0x36, count: 128)
        var state = hash_blocks_state()
        #if BenchmarkPeers
            var context = SHA512_CTX()
            unsafe SHA512_Init(&context)
        #endif
        benchmark.measure {
            for _ in benchmark.scaledIterations {
                for _ in 0..<blocks {
                    switch algorithm {
                    case .sha1: unsafe hash_blocks_run(1, hasInstructions, &state, block, 1)
                    case .sha256: unsafe hash_blocks_run(2, hasInstructions, &state, block, 1)
                    case .sha512:
                        #if BenchmarkPeers
                            unsafe SHA512_Transform(&context, block)
                        #else
                            unsafe hash_blocks_run(3, false, &state, block, 1)
                        #endif
                    }
                }
            }
        }
        blackHole(unsafe state.long_words.0)
    }
}
