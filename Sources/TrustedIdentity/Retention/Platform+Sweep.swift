internal import Primitives
internal import Synchronization

/// The schedule of sweeps: at most one a minute.
final class SweepSchedule: Sendable {
    /// The time between two sweeps of expired rows, in milliseconds.
    static let interval: Int64 = 60_000

    private let last = Mutex(Timestamp(millisecondsSinceEpoch: .min))

    /// Returns whether a sweep is due, and starts the next interval if it is. A clock that was set back makes it due.
    func isDue(now: Timestamp) -> Bool {
        last.withLock { last in
            guard now < last || now.milliseconds(since: last) >= Self.interval else { return false }
            last = now
            return true
        }
    }
}

extension Platform {
    /// The number of expired rows of a kind that one transaction removes, so that a transaction stays short.
    static let sweepBatch = 1_000

    /// Removes all expired rows when a sweep is due.
    ///
    /// A sweep runs until nothing expired is left, so that a busy platform removes rows as fast as it adds them.
    func sweep(now: Timestamp) async throws {
        guard sweepSchedule.isDue(now: now) else { return }
        let expiration = DeviceRevocation(sealer: sealer, now: now, reason: "pendingExpired")
        var removed: Int
        repeat {
            let accounts: [String]
            (removed, accounts) = try await writeAsPlatform { store in
                let late = try store.unfinishedDevices(
                    until: now.advanced(milliseconds: -DeviceLimits.pendingRetention), limit: Self.sweepBatch)
                for device in late { try expiration.revoke(device, in: store) }
                // An altered row is removed, too. The device of the account that does not exist is revoked and stays.
                let revoked = try store.revokedDevices(
                    until: now.advanced(milliseconds: -DeviceRevocation.retention), limit: Self.sweepBatch
                ).filter { $0 != Decoys.device }
                for device in revoked { try store.removeDevice(device) }
                let unanswered = try store.expiredApprovals(until: now, limit: Self.sweepBatch)
                for approval in unanswered {
                    try store.end(approval, as: .expired, keptUntil: approval.keptUntil, at: now)
                }
                let ended = late.count + revoked.count + unanswered.count
                let count = try store.removeExpired(now: now, limit: Self.sweepBatch) + ended
                return (count, late.map(\.account))
            }
            for account in accounts { watch.changed(.account(account)) }
        } while removed >= Self.sweepBatch
        await eraseEndedKeys(now: now)
    }
}
