internal import Primitives

extension Platform {
    /// The number of rows of a kind that one transaction removes or ends. Logins share the transaction, so it must stay
    /// short: 100 rows of each of four kinds take SQLite 3 ms and 1,000 take 49 ms, in tables of 100,000 rows.
    static let sweepBatch = 100

    /// Removes and ends all rows whose time is over.
    ///
    /// ``Maintenance`` calls it. No decision depends on it, because each decision reads the times of its rows.
    ///
    /// The sweep runs until no expired rows are left. A busy platform therefore removes rows as fast as it adds them. A
    /// part that fails does not keep the others from running.
    ///
    /// - Throws: The first error.
    func sweep(now: Timestamp) async throws {
        var failure: (any Error)?
        let parts = [
            dropLateDevices, removeRevokedDevices, endExpiredApprovals, removeExpired, removeIdleSources, dropOldEvents,
        ]
        for part in parts {
            do {
                var count: Int
                repeat {
                    count = try await part(now)
                    metrics.add(count, to: .removedRows)
                } while count >= Self.sweepBatch
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Removes devices that did not complete their activation in time. Returns their number.
    private func dropLateDevices(now: Timestamp) async throws -> Int {
        let expiration = DeviceRevocation(sealer: sealer, now: now, reason: "pendingExpired")
        let accounts = try await writeAsPlatform { store in
            let late = try store.unfinishedDevices(
                until: now.advanced(milliseconds: -DeviceLimits.pendingRetention), limit: Self.sweepBatch)
            for device in late { try expiration.revoke(device, in: store) }
            return late.map(\.account)
        }
        for account in accounts { watch.changed(.account(account)) }
        return accounts.count
    }

    /// Removes devices that were revoked long ago. Returns their number.
    private func removeRevokedDevices(now: Timestamp) async throws -> Int {
        let retention = configuration.retention.revokedDevices
        return try await writeAsPlatform { store in
            // An altered row is also removed.
            let revoked = try store.revokedDevices(
                until: now.advanced(by: .zero - retention), limit: Self.sweepBatch)
            for device in revoked { try store.removeDevice(device) }
            return revoked.count
        }
    }

    /// Ends approval requests that were not answered in time. Returns their number.
    private func endExpiredApprovals(now: Timestamp) async throws -> Int {
        try await writeAsPlatform { store in
            let unanswered = try store.expiredApprovals(until: now, limit: Self.sweepBatch)
            for approval in unanswered {
                try store.end(approval, as: .expired, keptUntil: approval.keptUntil, at: now)
            }
            return unanswered.count
        }
    }

    private func removeExpired(now: Timestamp) async throws -> Int {
        try await writeAsPlatform { try $0.removeExpired(now: now, limit: Self.sweepBatch) }
    }

    /// Removes counts of failures that limit nothing and were not used for long. Returns their number.
    private func removeIdleSources(now: Timestamp) async throws -> Int {
        let time = now.advanced(by: .zero - configuration.retention.idleSources)
        return try await writeAsPlatform { try $0.removeIdleThrottles(until: time, limit: Self.sweepBatch) }
    }
}
