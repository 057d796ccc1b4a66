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

    /// How many expired rows of a kind one transaction removes: it stays short.
    static let sweepBatch = 1_000

    /// Forgets what expired, now and then: all of it, so that a busy platform does not keep more than it forgets.
    func sweep(now: Timestamp) async throws {
        guard gates.isSweepDue(now: now) else { return }
        var removed: Int
        repeat {
            removed = try await store.write { store in
                let late = try store.unfinishedDevices(
                    until: now.advanced(milliseconds: -DeviceLimits.pendingRetention), limit: Self.sweepBatch)
                for device in late {
                    try DeviceRevocation.revoke(device, in: store, now: now, reason: "pendingExpired")
                }
                return try store.removeExpired(now: now, limit: Self.sweepBatch) + late.count
            }
        } while removed >= Self.sweepBatch
    }
}

/// A compare-and-set that has to win.
func must(_ isWritten: Bool) throws {
    guard isWritten else { throw WriteConflict() }
}
