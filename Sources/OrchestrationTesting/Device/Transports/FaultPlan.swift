internal import Primitives

/// A fault in one exchange of a ``FaultInjectingTransport``.
public enum Fault: Sendable, Hashable {
    /// No fault: request and answer arrive.
    case noFault
    /// The platform does not see the request.
    case loseRequest
    /// The platform acts, and its answer is lost.
    case loseAnswer
    /// The platform sees the request twice, and the second answer arrives.
    case duplicate
    /// The sender sees a loss, and the request arrives after the next one that gets through.
    case deliverLate
    /// The test's clock moves between the act of the platform and the arrival of the answer.
    case delay(milliseconds: Int64)
    /// One bit of the request is flipped. The number counts from the first bit and wraps around at the end.
    case corruptRequest(bit: Int)
    /// One bit of the answer is flipped. The number counts from the first bit and wraps around at the end.
    case corruptAnswer(bit: Int)
    /// The platform acts, and the answer to the previous exchange arrives instead of the current one; a loss if there
    /// was no previous exchange.
    case foreignAnswer
}

/// The faults of exchanges, in order: either a script, for a test of one case, or drawn from a seed, for random walks.
public struct FaultPlan: Sendable {
    private var script: ArraySlice<Fault>
    private let random: SeededRandomSource?
    private let percentage: Int

    /// A plan without faults.
    public static let none = FaultPlan(script: [])

    /// Creates a plan with one fault for each exchange, and none after the last one.
    public init(script: [Fault]) {
        self.script = script[...]
        random = nil
        percentage = 0
    }

    /// Creates a plan of faults of all kinds, drawn from a source.
    ///
    /// - Parameters:
    ///   - random: The source. The same seed gives the same faults.
    ///   - percentage: The number of exchanges in a hundred that have a fault, 0 to 100.
    public init(random: SeededRandomSource, percentage: Int) {
        script = []
        self.random = random
        self.percentage = percentage
    }

    /// Returns the fault of the next exchange.
    mutating func next() -> Fault {
        guard let random else { return script.popFirst() ?? .noFault }
        var generator = random.generator()
        guard Int.random(in: 0..<100, using: &generator) < percentage else { return .noFault }
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
