public import Primitives

extension Platform {
    /// What may be said about an account; nil when there is none.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func account(_ account: AccountName) async throws -> AccountReport? {
        let (name, now) = (account.text, time.now())
        return try await deciding {
            try await store.read { store in
                guard let account = try store.account(name) else { return nil }
                let devices = try store.devices(of: name)
                let progress = ActivationProgress(
                    account: account, code: try store.activationPassword(of: name), devices: devices, now: now)
                return AccountReport(
                    account, status: progress.status, devices: devices, throttles: try store.throttles(of: name))
            }
        }
    }

    /// Lifts what blocks an account: failures of typed codes and passwords are forgotten, and devices that were locked
    /// because the platform was restored without a copy of the audit log go back to what they were.
    ///
    /// A device that was locked after wrong passwords, or because its store seems copied, stays locked: its user is
    /// registered anew.
    ///
    /// - Throws: ``PlatformError`` with `unknownUser`, `storeFailed`.
    public func unblock(_ account: AccountName) async throws {
        let (name, now) = (account.text, time.now())
        try await deciding {
            try await store.write { store in
                guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
                for throttle in try store.throttles(of: name) {
                    try must(store.update(Throttle.lifted(throttle, now: now)))
                }
                try store.append(AuditEntry(time: now, event: .throttleLifted, account: name))
                for var device in try store.devices(of: name) where device.lockReason == .restored {
                    device.state = device.stateBeforeLock ?? .pendingNotification
                    device.lockReason = nil
                    device.stateBeforeLock = nil
                    try must(store.update(device))
                    try store.append(
                        AuditEntry(time: now, event: .deviceUnlocked, account: name, device: device.id))
                }
            }
        }
    }

    /// Says that the store was restored from a backup. Call it once, before the platform serves anybody again.
    ///
    /// Every device is marked: until it has synchronized its codes are refused and not counted, and requests that it
    /// made before now are refused.
    ///
    /// - Parameter revocations: what was revoked since the backup.
    /// - Returns: how many devices were marked.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    @discardableResult
    public func markRestored(revocations: Revocations) async throws -> Int {
        let now = time.now()
        return try await deciding {
            try await store.write { store in
                guard var state = try store.platformState() else { throw PlatformError(.internal) }
                state.restoredAt = now
                try must(store.update(state))
                if case .reapply(let entries) = revocations {
                    try Self.reapply(entries, in: store, now: now)
                }
                let count = try store.markDevicesRestored(locking: revocations == .unknown)
                try store.append(
                    AuditEntry(
                        time: now, event: .platformRestored,
                        reason: revocations == .unknown ? "revocationsUnknown" : "revocationsReapplied"))
                return count
            }
        }
    }

    private static func reapply(_ entries: [AuditEntry], in store: any StoreTransaction, now: Timestamp) throws {
        for entry in entries {
            switch entry.event {
            case .deviceRevoked:
                guard let id = entry.device, let device = try store.device(id), device.state != .revoked else {
                    continue
                }
                try DeviceRevocation.revoke(device, in: store, now: now, reason: "revokedBeforeRestore")
            case .unregistered:
                guard let name = entry.account, let account = try store.account(name),
                    account.createdAt <= entry.time
                else { continue }
                try unregister(name, in: store, now: now)
            case .deviceLocked:
                try relock(entry, in: store, now: now)
            case .apiKeyRevoked:
                // The entry's reason is the key's id.
                guard try store.revokeAPIKey(entry.reason, at: now) else { continue }
                try store.append(AuditEntry(time: now, event: .apiKeyRevoked, reason: entry.reason))
            default:
                continue
            }
        }
    }

    /// Locks a device again: a lock for wrong passwords or for a copied store is never lifted, so the log's last word on
    /// it is that it is locked, or that it was revoked later.
    private static func relock(_ entry: AuditEntry, in store: any StoreTransaction, now: Timestamp) throws {
        guard let reason = LockReason(rawValue: entry.reason), reason != .restored, let id = entry.device,
            var device = try store.device(id), device.state != .locked, device.state != .revoked
        else { return }
        device.stateBeforeLock = device.state
        device.state = .locked
        device.lockReason = reason
        try must(store.update(device))
        try store.append(
            AuditEntry(time: now, event: .deviceLocked, account: device.account, device: id, reason: reason.rawValue))
    }

    /// Entries of the audit log, the latest first.
    ///
    /// - Parameters:
    ///   - account: only about this account; nil for all.
    ///   - before: only those with a lower sequence number; nil for the latest.
    ///   - limit: 1…1,000.
    /// - Throws: ``PlatformError`` with `malformedRequest` for another limit, `storeFailed`.
    public func audit(
        of account: AccountName? = nil, before: Int64? = nil, limit: Int = 100
    ) async throws -> [AuditEntry] {
        guard (1...1_000).contains(limit) else { throw PlatformError(.malformedRequest) }
        return try await deciding {
            try await store.read { try $0.auditEntries(of: account?.text, before: before, limit: limit) }
        }
    }

    /// What is counted by the hour instead of told one by one, because anybody can cause it: tries with activation passwords
    /// that do not exist.
    ///
    /// - Parameter limit: how many at most, the latest hour first; 1…1,000.
    /// - Throws: ``PlatformError`` with `malformedRequest` for another limit, `storeFailed`.
    public func auditTallies(limit: Int = 100) async throws -> [AuditTally] {
        guard (1...1_000).contains(limit) else { throw PlatformError(.malformedRequest) }
        return try await deciding { try await store.read { try $0.auditTallies(limit: limit) } }
    }
}
