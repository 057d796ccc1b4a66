import Benchmark
import OrchestrationProtocol

#if BenchmarkPeers
    import SwiftProtobuf
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decoding with all checks: shortest heads, sorted keys, well-formed texts, limits, no trailing bytes.
func decodingBenchmarks() {
    Benchmark("command-decode-owned", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try RequestMessage(decoding: stage.bytes)) }
        }
    }
    Benchmark("command-decode-owned--peer-json-decoder", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        let decoder = JSONDecoder()
        try benchmark.measure {
            for _ in benchmark.scaledIterations {
                blackHole(try decoder.decode(CommandStage.Twin.self, from: stage.json))
            }
        }
    }
    #if BenchmarkPeers
        Benchmark("command-decode-owned--peer-protobuf", configuration: .hotPath) { benchmark in
            let bytes: [UInt8] = try ProtobufRequest(CommandStage().twin).serializedBytes()
            try benchmark.measure {
                for _ in benchmark.scaledIterations { blackHole(try ProtobufRequest(serializedBytes: bytes)) }
            }
        }
    #endif
    Benchmark("command-decode-owned--floor-array-copy", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(copy(of: stage.bytes)) }
        }
    }
}
