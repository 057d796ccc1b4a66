import Synchronization

/// The events of a walk in short lines, for the analysis of a failure.
final class WalkTrace: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Returns the last lines.
    func tail(_ count: Int = 60) -> String {
        lines.withLock { lines in
            let dropped = max(0, lines.count - count)
            return ((dropped > 0 ? ["… \(dropped) earlier lines"] : []) + lines.suffix(count)).joined(separator: "\n")
        }
    }
}

/// A violation of an invariant in a walk.
struct WalkFailure: Error, CustomStringConvertible {
    let seed: UInt64
    let problem: String
    let trace: String

    var description: String {
        "\(problem)\nrepeat with WALK_SEED=\(seed)\n\(trace)"
    }
}
