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

func encodingBenchmarks() {
    Benchmark("command-encode-new-array", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(stage.message.encoded) }
        }
    }
    Benchmark("command-encode-new-array--peer-json-encoder", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        let encoder = JSONEncoder()
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try encoder.encode(stage.twin)) }
        }
    }
    #if BenchmarkPeers
        Benchmark("command-encode-new-array--peer-protobuf", configuration: .hotPath) { benchmark in
            let twin = ProtobufRequest(try CommandStage().twin)
            try benchmark.measure {
                for _ in benchmark.scaledIterations { blackHole(try twin.serializedBytes() as [UInt8]) }
            }
        }
    #endif
    Benchmark("command-encode-new-array--floor-array-copy", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(copy(of: stage.bytes)) }
        }
    }
}

/// Returns a new array of the same bytes.
func copy(of bytes: [UInt8]) -> [UInt8] {
    unsafe bytes.withUnsafeBufferPointer { unsafe [UInt8]($0) }
}
