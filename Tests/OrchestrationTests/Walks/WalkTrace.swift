import Synchronization

/// What happened in a walk, in short lines, for whoever has to understand a failure.
final class WalkTrace: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// The last lines.
    func tail(_ count: Int = 60) -> String {
        lines.withLock { lines in
            let dropped = max(0, lines.count - count)
            return ((dropped > 0 ? ["… \(dropped) earlier lines"] : []) + lines.suffix(count)).joined(separator: "\n")
        }
    }
}

/// A walk has seen what must not be.
struct WalkFailure: Error, CustomStringConvertible {
    let seed: UInt64
    let complaint: String
    let trace: String

    var description: String {
        "\(complaint)\nrepeat with WALK_SEED=\(seed)\n\(trace)"
    }
}
