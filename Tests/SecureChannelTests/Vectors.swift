import Foundation
import Primitives

/// Reads the vector files that stand beside the tests.
enum Vectors {
    static func data(_ path: String, file: String = #filePath) throws -> Data {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appendingPathComponent("Vectors").appendingPathComponent(path))
    }

    static func decode<T: Decodable>(_ type: T.Type, _ path: String) throws -> T {
        try JSONDecoder().decode(type, from: data(path))
    }
}

extension [UInt8] {
    /// Bytes of a hex literal in a test; whitespace is left out. A typing error gives no bytes at all.
    init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Every byte string that differs from this one in one bit.
    var bitFlips: some Sequence<[UInt8]> {
        (0..<count * 8).lazy.map { bit in
            var flipped = self
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return flipped
        }
    }

    /// Every beginning of this one that is not all of it.
    var truncations: some Sequence<[UInt8]> {
        (0..<count).lazy.map { [UInt8](self[..<$0]) }
    }
}

extension SecretBytes {
    /// What a test compares.
    var revealed: [UInt8] { withBytes { span in span.indices.map { span[$0] } } }
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) } }
}
