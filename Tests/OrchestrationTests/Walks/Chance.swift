import Primitives
import Synchronization
import TestSupport

/// The random decisions of a walk. All of them are drawn here, so that a seed repeats a walk.
final class Chance: Sendable {
    private struct State {
        var generator: SeededGenerator
        var areFaultsEnabled = true
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    /// Returns whether a fault happens, with a probability in percent. While faults are disabled, it returns `false`.
    func happens(_ percentage: Int) -> Bool {
        state.withLock { state in
            guard state.areFaultsEnabled else { return false }
            return Int.random(in: 0..<100, using: &state.generator) < percentage
        }
    }

    /// Returns a number of the range, also while faults are disabled.
    func draw(_ range: ClosedRange<Int>) -> Int {
        state.withLock { Int.random(in: range, using: &$0.generator) }
    }

    /// Returns one of the choices, also while faults are disabled.
    func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[draw(0...(choices.count - 1))]
    }

    /// Disables faults from now on.
    func disableFaults() { state.withLock { $0.areFaultsEnabled = false } }

    /// Enables faults from now on.
    func enableFaults() { state.withLock { $0.areFaultsEnabled = true } }

    /// Disables faults during a part of a walk.
    func withoutFaults<R>(_ part: () async throws -> R) async rethrows -> R {
        let wereEnabled = state.withLock { state in
            defer { state.areFaultsEnabled = false }
            return state.areFaultsEnabled
        }
        defer { if wereEnabled { enableFaults() } }
        return try await part()
    }
}
