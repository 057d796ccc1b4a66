internal import Primitives
internal import Synchronization

/// A generator that returns the same numbers in every run (SplitMix64). Its whole state is one number, so it is fast in
/// a debug build.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator at the start of the sequence of a seed.
    package init(seed: UInt64) { state = seed }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Returns the next bytes: eight for each number, the lowest first. What is left of the last number is dropped.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let word = next()
            for shift in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift))))
            }
        }
        return bytes
    }
}

/// Randomness that is the same in every run, for keys and ids that protect nothing.
package final class SeededRandom: RandomSource {
    private let generator: Mutex<SeededGenerator>

    /// Creates a source at the start of the sequence of a seed.
    package init(_ seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    /// Returns the next bytes.
    package func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
