import Benchmark
import Wire

#if BenchmarkPeers
    import SwiftProtobuf
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

func encodingBenchmarks() {
    Benchmark("command-encode-into-buffer", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        var memory = [UInt8](repeating: 0, count: 512)
        try unsafe memory.withUnsafeMutableBufferPointer { memory in
            try benchmark.measure {
                for _ in benchmark.scaledIterations {
                    var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
                    try stage.message.encode(into: &output)
                    blackHole(unsafe output.finalize(for: memory))
                }
            }
        }
    }
    Benchmark("command-encode-new-array", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(stage.message.encoded) }
        }
    }
    for name in ["into-buffer", "new-array"] {
        Benchmark("command-encode-\(name)--peer-json-encoder", configuration: .hotPath) { benchmark in
            let stage = try CommandStage()
            let encoder = JSONEncoder()
            try benchmark.measure {
                for _ in benchmark.scaledIterations { blackHole(try encoder.encode(stage.twin)) }
            }
        }
        #if BenchmarkPeers
            // It writes only into memory that it allocates.
            Benchmark("command-encode-\(name)--peer-protobuf", configuration: .hotPath) { benchmark in
                let twin = ProtobufRequest(try CommandStage().twin)
                try benchmark.measure {
                    for _ in benchmark.scaledIterations { blackHole(try twin.serializedBytes() as [UInt8]) }
                }
            }
        #endif
    }
    Benchmark("command-encode-into-buffer--floor-memcpy", configuration: .hotPath) { benchmark in
        let stage = try CommandStage()
        var memory = [UInt8](repeating: 0, count: 512)
        unsafe memory.withUnsafeMutableBytes { memory in
            unsafe stage.bytes.withUnsafeBytes { bytes in
                benchmark.measure {
                    for _ in benchmark.scaledIterations {
                        unsafe memory.copyMemory(from: bytes)
                        unsafe blackHole(memory.baseAddress)
                    }
                }
            }
        }
    }
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
