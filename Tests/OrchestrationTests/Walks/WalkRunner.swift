import Foundation

/// A runner of many walks, on every core.
struct WalkRunner {
    /// The number of walks from which on a test checks that they have done what each walk, or nearly each, does. The
    /// number for what is rare is that of the nightly run.
    static let least = 16

    /// Returns the seeds of the walks.
    ///
    /// In the environment, `WALK_SEED` selects a single walk. `WALK_RUNS` is another number of walks, or `all`. Without
    /// it, one of fifty walks runs and not fewer than ``least``, which takes about a minute for all tests together. The
    /// nightly run has all.
    static func seeds(from first: UInt64, count: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["WALK_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let runs = environment["WALK_RUNS"]
        let count = runs == "all" ? count : runs.flatMap { Int($0) } ?? min(count, max(least, count / 50))
        return (0..<UInt64(max(count, 1))).map { first + $0 }
    }

    /// Runs the walks and returns their failures. It stops after three failures.
    static func run(
        _ seeds: [UInt64], _ walk: @escaping @Sendable (UInt64) async throws -> Void
    ) async -> [any Error] {
        let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
        return await withTaskGroup(of: (any Error)?.self) { group in
            var failures: [any Error] = []
            var waiting = seeds[...]
            for _ in 0..<workers {
                guard let seed = waiting.popFirst() else { break }
                group.addTask { await failure(of: walk, seed) }
            }
            while let result = await group.next() {
                if let failure = result { failures.append(failure) }
                guard failures.count < 3, let seed = waiting.popFirst() else { continue }
                group.addTask { await failure(of: walk, seed) }
            }
            return failures
        }
    }

    private static func failure(
        of walk: @Sendable (UInt64) async throws -> Void, _ seed: UInt64
    ) async -> (any Error)? {
        do {
            try await walk(seed)
            return nil
        } catch let failure as WalkFailure {
            return failure
        } catch {
            return WalkFailure(seed: seed, problem: "\(error)", trace: "")
        }
    }
}
