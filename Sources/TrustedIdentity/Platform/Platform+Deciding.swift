internal import Primitives

/// A row changed between reading and writing: decide again.
struct WriteConflict: Error {}

extension Platform {
    /// How often a decision is taken anew. Each time somebody else's write succeeded, so that the whole moves on; a
    /// caller who loses this often is told to come back.
    static let attempts = 300

    /// Runs a decision, again when its write met a row that had changed, and turns foreign errors into ours.
    func deciding<R>(_ decide: () async throws -> R) async throws -> R {
        for _ in 0..<Self.attempts {
            try Task.checkCancellation()
            do {
                return try await decide()
            } catch is WriteConflict {
                metrics.count(.conflicts)
            } catch let error as PlatformError {
                throw error
            } catch let error as CancellationError {
                throw error
            } catch {
                throw PlatformError(.storeFailed, underlying: error)
            }
        }
        throw PlatformError(.busy)
    }

    /// Forgets what expired, now and then.
    func sweep(now: Timestamp) async throws {
        guard gates.isSweepDue(now: now) else { return }
        _ = try await store.write { try $0.removeExpired(now: now, limit: 1_000) }
    }
}

/// A compare-and-set that has to win.
func must(_ isWritten: Bool) throws {
    guard isWritten else { throw WriteConflict() }
}
