import Benchmark
import Foundation
import Primitives

func textBenchmarks() {
    let bytes = (0..<CommandStage.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 73) }
    let seed = Array(bytes.prefix(20))
    text("command-text-base64url-encode") { Base64URL.encode(bytes) }
    text("command-text-base64url-decode", of: Base64URL.encode(bytes)) { try Base64URL.decode($0) }
    text("command-text-base45-encode") { Base45.encode(bytes) }
    text("command-text-base45-decode", of: Base45.encode(bytes)) { try Base45.decode($0) }
    text("command-text-base32-encode-20-bytes") { Base32.encode(seed) }
    text("command-text-base32-decode-20-bytes", of: Base32.encode(seed)) { try Base32.decode($0) }

    let data = Data(bytes)
    text("command-text-base64url-encode--peer-foundation-base64") { data.base64EncodedString() }
    text("command-text-base64url-encode--peer-foundation-replaced") { replaced(data.base64EncodedString()) }
    text("command-text-base64url-decode--peer-foundation-base64", of: data.base64EncodedString()) {
        guard let data = Data(base64Encoded: $0) else { preconditionFailure("text: what Foundation wrote") }
        return data
    }
    for form in ["base64url", "base45"] {
        text("command-text-\(form)-encode--floor-array-copy") { copy(of: bytes) }
    }
}

/// Returns Base64URL from Base64, as programs do it that have only Foundation's Base64.
private func replaced(_ base64: String) -> String {
    base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}

private func text<Result>(_ name: String, _ code: @escaping @Sendable () -> Result) {
    Benchmark(name, configuration: .hotPath) { benchmark in
        benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(code()) }
        }
    }
}

private func text<Result>(
    _ name: String, of text: String, _ decode: @escaping @Sendable (String) throws -> Result
) {
    Benchmark(name, configuration: .hotPath) { benchmark in
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try decode(text)) }
        }
    }
}
