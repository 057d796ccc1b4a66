internal import Primitives

/// Which fault comes when.
public struct FaultPlan: Sendable {
    private var script: ArraySlice<Fault>
    private let random: SeededRandomSource?
    private let percentage: Int

    /// No fault, ever.
    public static let none = FaultPlan(script: [])

    /// One fault for each exchange, and none when the script is over.
    public init(script: [Fault]) {
        self.script = script[...]
        random = nil
        percentage = 0
    }

    /// Faults of all kinds, drawn from a source.
    ///
    /// - Parameters:
    ///   - random: where the draws come from; the same seed brings the same faults.
    ///   - percentage: how many of a hundred exchanges have a fault, 0 to 100.
    public init(random: SeededRandomSource, percentage: Int) {
        script = []
        self.random = random
        self.percentage = percentage
    }

    /// The fault of the next exchange.
    mutating func next() -> Fault {
        guard let random else { return script.popFirst() ?? .none }
        var generator = random.generator()
        guard Int.random(in: 0..<100, using: &generator) < percentage else { return .none }
        return switch Int.random(in: 0..<8, using: &generator) {
        case 0: .loseRequest
        case 1: .loseAnswer
        case 2: .duplicate
        case 3: .deliverLate
        case 4: .delay(milliseconds: .random(in: 1...20_000, using: &generator))
        case 5: .corruptRequest(bit: .random(in: 0..<(1 << 19), using: &generator))
        case 6: .corruptAnswer(bit: .random(in: 0..<(1 << 19), using: &generator))
        default: .foreignAnswer
        }
    }
}
