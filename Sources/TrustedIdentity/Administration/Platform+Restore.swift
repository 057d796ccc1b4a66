internal import Primitives

/// The revocations between a backup and its restore, as far as they are known.
public enum Revocations: Sendable, Hashable {
    /// The entries of a copy of the audit log since the backup.
    ///
    /// Devices and API keys that they revoke, devices that they lock and accounts that they remove are revoked, locked
    /// and removed again. An empty list states that there were none.
    case reapply([AuditEntry])
    /// There is no copy.
    ///
    /// Every device is locked until an administrator lifts the blocks of its account. API keys that were revoked since
    /// the backup are valid again; revoke them by hand.
    case unknown
}

extension Platform {
    /// Marks the store as restored from a backup. Call it once, before the platform serves requests again.
    ///
    /// Every device is marked. Until a device has synchronized, its codes are refused and not counted. Requests that
    /// devices made before the restore are refused.
    ///
    /// - Parameter revocations: The revocations since the backup.
    /// - Returns: The number of devices that were marked.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    @discardableResult
    public func markRestored(revocations: Revocations) async throws -> Int {
        let now = time.now()
        let count = try await write { [sealer] store in
            guard var state = try store.platformState() else { throw PlatformError(.internal) }
            state.restoredAt = now
            try requireWritten(store.update(state))
            if case .reapply(let entries) = revocations {
                for entry in entries { try Self.reapply(entry, in: store, sealer: sealer, now: now) }
            }
            let count = try store.markDevicesRestored(locking: revocations == .unknown)
            try store.append(
                AuditEntry(
                    time: now, event: .platformRestored,
                    reason: revocations == .unknown ? "revocationsUnknown" : "revocationsReapplied"))
            return count
        }
        watch.changedAll()
        return count
    }

    private static func reapply(
        _ entry: AuditEntry, in store: any StoreTransaction, sealer: RowSealer, now: Timestamp
    ) throws {
        switch entry.event {
        case .deviceRevoked:
            guard let id = entry.device, let device = try store.device(id), device.state != .revoked else { return }
            try DeviceRevocation(sealer: sealer, now: now, reason: "revokedBeforeRestore").revoke(device, in: store)
        case .unregistered:
            guard let name = entry.account, let account = try store.account(name), account.createdAt <= entry.time
            else { return }
            try unregister(name, in: store, sealer: sealer, now: now)
        case .deviceLocked:
            try relock(entry, in: store, now: now)
        case .apiKeyRevoked:
            // The reason of the entry is the id of the key.
            guard try store.revokeAPIKey(entry.reason, at: now) else { return }
            try store.append(AuditEntry(time: now, event: .apiKeyRevoked, reason: entry.reason))
        default:
            return
        }
    }

    /// Locks a device again. A lock for wrong passwords or for a copied store is never lifted, so the last entry about
    /// such a device is its lock or its revocation.
    private static func relock(_ entry: AuditEntry, in store: any StoreTransaction, now: Timestamp) throws {
        guard let reason = LockReason(rawValue: entry.reason), reason != .restored, let id = entry.device,
            var device = try store.device(id), device.state != .locked, device.state != .revoked
        else { return }
        device.lock(reason)
        try requireWritten(store.update(device))
        try store.append(
            AuditEntry(time: now, event: .deviceLocked, account: device.account, device: id, reason: reason.rawValue))
    }
}

extension StoreTransaction {
    /// Sets `isRestored` on each device that is not revoked.
    ///
    /// - Parameter locking: Whether to lock, with the reason ``/Primitives/LockReason/restored``, those that are not
    ///   locked yet.
    /// - Returns: The number of devices that were marked.
    func markDevicesRestored(locking: Bool) throws -> Int {
        var (count, last) = (0, [UInt8]?.none)
        while true {
            let page = try devices(after: last, limit: 500)
            for var device in page where device.state != .revoked {
                device.isRestored = true
                if locking, device.state != .locked { device.lock(.restored) }
                try requireWritten(update(device))
                count += 1
            }
            guard let id = page.last?.id else { return count }
            last = id
        }
    }
}
