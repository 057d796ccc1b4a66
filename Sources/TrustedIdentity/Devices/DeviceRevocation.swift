internal import Primitives

/// The end of a device.
enum DeviceRevocation {
    /// Makes a device inactive and erases its keys.
    ///
    /// A device that never completed its activation leaves no row. An activated device leaves a row without keys, so
    /// that its last answers can be repeated.
    ///
    /// - Parameters:
    ///   - device: The device as this transaction, or the decision that it writes, read it.
    ///   - reason: The reason in the audit log.
    static func revoke(
        _ device: DeviceRecord, in store: any StoreTransaction, now: Timestamp, reason: String
    ) throws {
        if device.isUnfinished {
            try store.removeDevice(device.id)
            try store.append(
                AuditEntry(
                    time: now, event: .activationDropped, account: device.account, device: device.id, reason: reason))
            return
        }
        try requireWritten(store.update(revoked(device, now: now)))
        try store.removeCodeCounters(of: device.id)
        try store.append(
            AuditEntry(time: now, event: .deviceRevoked, account: device.account, device: device.id, reason: reason))
    }

    /// Returns the row of a revoked device.
    static func revoked(_ device: DeviceRecord, now: Timestamp) -> DeviceRecord {
        var device = device
        device.state = .revoked
        device.lockReason = nil
        device.stateBeforeLock = nil
        device.revokedAt = now
        device.secrets = nil
        device.ratchet = nil
        device.receiptHashes = []
        device.notificationIdentifier = nil
        device.isRestored = false
        return device
    }
}
