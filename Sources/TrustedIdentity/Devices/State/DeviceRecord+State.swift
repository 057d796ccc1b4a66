internal import Primitives

extension DeviceRecord {
    /// Whether codes of the device are accepted.
    var isLoginDevice: Bool {
        switch state {
        case .pendingNotification, .active: true
        case .pending, .locked, .revoked: false
        }
    }

    /// Whether the activation was never completed. A device that was locked meanwhile returns to this state.
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
        if state != .locked { stateBeforeLock = state }
        state = .locked
        lockReason = reason
    }

    /// Ends the lock. The device returns to the state before it.
    mutating func unlock() {
        state = stateBeforeLock ?? .active
        stateBeforeLock = nil
        lockReason = nil
    }

    /// Moves the ratchet to a state. ``DeviceKeys/sealRatchet(of:as:sealer:)`` moves its
    /// keys.
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

    /// Remembers a receipt of step 3 instead of the oldest one.
    mutating func remember(receipt hash: [UInt8]) {
        receiptHashes = (receiptHashes + hash).suffix(32 * DeviceLimits.rememberedReceipts)
    }
}
