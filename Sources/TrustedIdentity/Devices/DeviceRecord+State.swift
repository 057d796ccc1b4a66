internal import Primitives

extension DeviceRecord {
    /// Whether codes of the device are accepted.
    var isLoginDevice: Bool {
        switch state {
        case .pendingNotification, .active: true
        case .pending, .locked, .revoked: false
        }
    }

    /// Whether the activation was never completed. A device that was locked meanwhile returns there.
    var isUnfinished: Bool {
        switch state {
        case .pending: true
        case .locked: stateBeforeLock == .pending
        case .pendingNotification, .active, .revoked: false
        }
    }

    /// Whether the device is activated and has never registered a notification channel.
    var awaitsNotificationChannel: Bool {
        switch state {
        case .pendingNotification: true
        case .locked: stateBeforeLock == .pendingNotification
        case .pending, .active, .revoked: false
        }
    }

    /// Whether the device counts toward the limit of the account.
    var isActivated: Bool {
        switch state {
        case .pendingNotification, .active: true
        case .locked: !isUnfinished
        case .pending, .revoked: false
        }
    }

    /// Locks the device, and remembers the state to return to.
    mutating func lock(_ reason: LockReason) {
        stateBeforeLock = state
        state = .locked
        lockReason = reason
    }

    /// Moves the ratchet to a state. ``DeviceKeys/sealRatchet(of:sealer:)`` moves its key.
    mutating func move(to ratchet: RatchetState) {
        ratchetIndex = ratchet.confirmed
        offeredIndex = ratchet.offered
        promotedAt = ratchet.promotedAt
    }

    /// Returns whether a receipt of step 3 is one of the latest.
    func remembers(receipt hash: [UInt8]) -> Bool {
        guard hash.count == 32 else { return false }
        return stride(from: 0, to: receiptHashes.count, by: 32).contains { start in
            receiptHashes[start...].prefix(32).elementsEqual(hash)
        }
    }

    /// Remembers a receipt of step 3 in place of the oldest one.
    mutating func remember(receipt hash: [UInt8]) {
        receiptHashes = (receiptHashes + hash).suffix(32 * DeviceLimits.rememberedReceipts)
    }
}

// The end of a device.
extension DeviceRecord {
    /// Makes the device inactive and erases its keys, in a transaction. The record is the row as this transaction, or
    /// the decision that it writes, read it.
    ///
    /// A device that never completed its activation leaves no row. An activated device leaves a row without keys, so
    /// that its last answers can be repeated.
    ///
    /// - Parameter reason: The reason in the audit log.
    /// - Throws: ``WriteConflict`` when the row changed since it was read.
    func revoke(in store: any StoreTransaction, now: Timestamp, reason: String) throws {
        if isUnfinished {
            try store.removeDevice(id)
            try store.append(
                AuditEntry(time: now, event: .activationDropped, account: account, device: id, reason: reason))
            return
        }
        try requireWritten(store.update(revoked(now: now)))
        try store.removeCodeCounters(of: id)
        try store.append(AuditEntry(time: now, event: .deviceRevoked, account: account, device: id, reason: reason))
    }

    /// Returns the row of the device once it is revoked.
    func revoked(now: Timestamp) -> DeviceRecord {
        var device = self
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
