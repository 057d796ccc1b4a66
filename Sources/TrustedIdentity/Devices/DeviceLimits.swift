/// The limits on the number of devices and on the time for an activation.
enum DeviceLimits {
    /// The number of activated devices of an account. Each one adds a set of keys that a guess could match.
    static let maximumDevices = 5
    /// The time from step 2 to step 4 of an activation, in milliseconds.
    static let pendingLifetime: Int64 = 30 * 60_000
    /// The time for which a device with an expired activation still gets that refusal before its keys are erased, in
    /// milliseconds. A device whose clock is slow asks late.
    static let pendingRetention: Int64 = 60 * 60_000
    /// The number of receipts of step 3 that are remembered. A late repeat of step 3 must not make the next receipt
    /// worthless.
    static let rememberedReceipts = 4
}

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
