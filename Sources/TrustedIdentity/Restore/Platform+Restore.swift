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
    /// Every device, API key and static password that was made before the restore is suspended until an administrator
    /// lifts it: ``Platform/liftDevice(_:of:)``, ``Platform/liftAPIKey(_:)``, ``Platform/liftStaticPassword(of:)``.
    case unknown
}

extension Platform {
    /// Marks the store as restored from a backup. Call it once, before the platform serves requests again.
    ///
    /// Until a device that was made before has synchronized, its codes are refused and not counted. Requests that devices
    /// made before the restore are refused. The call writes one row and no row for each device.
    ///
    /// - Parameter revocations: The revocations since the backup.
    /// - Throws: ``PlatformError`` with `alteredRow`, `storeFailed`.
    public func markRestored(revocations: Revocations) async throws {
        let now = time.now()
        try await write { [sealer] store in
            var state = try store.presentState()
            state.restoredAt = now
            state.epoch += 1
            state.restoredSequence = try store.auditEntries(of: nil, before: nil, limit: 1).first?.sequence ?? 0
            state.suspendedBelowBefore = state.suspendedBelow
            if revocations == .unknown { state.suspendedBelow = state.epoch }
            try requireWritten(store.update(state))
            if case .reapply(let entries) = revocations {
                for entry in entries { try Self.reapply(entry, in: store, sealer: sealer, now: now) }
            }
            try store.append(
                AuditEntry(
                    time: now, event: .platformRestored,
                    reason: revocations == .unknown ? "revocationsUnknown" : "nothingRevoked"))
        }
        watch.changedAll()
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
