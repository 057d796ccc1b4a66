import Synchronization

/// The number of times that each kind of event happened in the walks of a test, so that the test can check its
/// coverage.
final class WalkTally: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func count(_ what: String) { counts.withLock { $0[what, default: 0] += 1 } }

    subscript(_ what: String) -> Int { counts.withLock { $0[what, default: 0] } }

    /// Returns the number of events whose names begin with a prefix.
    func sum(_ prefix: String) -> Int {
        counts.withLock { counts in counts.filter { $0.key.hasPrefix(prefix) }.values.reduce(0, +) }
    }

    /// One line for each name.
    var summary: String {
        counts.withLock { counts in
            counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        }
    }
}
