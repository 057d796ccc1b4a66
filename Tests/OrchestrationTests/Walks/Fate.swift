import Primitives
import Synchronization

/// The dice of a walk. Everything that is left to chance is thrown here, so that a seed repeats a walk.
final class Fate: Sendable {
    private struct State {
        var generator: SplitMix
        var isCalm = false
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(generator: SplitMix(state: seed)))
    }

    /// Whether something bad happens, in so many of a hundred cases; never while fate is calm.
    func happens(_ percentage: Int) -> Bool {
        state.withLock { state in
            guard !state.isCalm else { return false }
            return Int.random(in: 0..<100, using: &state.generator) < percentage
        }
    }

    /// A number of the range, in calm and storm.
    func draw(_ range: ClosedRange<Int>) -> Int {
        state.withLock { Int.random(in: range, using: &$0.generator) }
    }

    /// One of the choices, in calm and storm.
    func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[draw(0...(choices.count - 1))]
    }

    /// From now on nothing bad happens.
    func calm() { state.withLock { $0.isCalm = true } }

    /// Ends the calm.
    func storm() { state.withLock { $0.isCalm = false } }

    /// Lets nothing bad happen during a part of a walk.
    func calmly<R>(_ part: () async throws -> R) async rethrows -> R {
        let wasCalm = state.withLock { state in
            defer { state.isCalm = true }
            return state.isCalm
        }
        defer { if !wasCalm { storm() } }
        return try await part()
    }
}

/// A small generator whose whole state is one number. Good enough to choose faults, and fast in a debug build.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Bytes of such a generator, for keys and ids that protect nothing.
final class QuickRandomSource: RandomSource {
    private let generator: Mutex<SplitMix>

    init(seed: UInt64) { generator = Mutex(SplitMix(state: ~seed)) }

    func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            while bytes.count < count {
                let word = generator.next()
                for shift in 0..<min(8, count - bytes.count) {
                    bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift))))
                }
            }
            return bytes
        }
    }
}
