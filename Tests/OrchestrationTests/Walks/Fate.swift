import Primitives
import Synchronization
import TestSupport

/// The dice of a walk. Everything that is left to chance is thrown here, so that a seed repeats a walk.
final class Fate: Sendable {
    private struct State {
        var generator: SeededGenerator
        var isCalm = false
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
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
