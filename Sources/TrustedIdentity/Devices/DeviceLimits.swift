/// How many devices there may be, and how long they may wait.
enum DeviceLimits {
    /// Activated devices of an account: each is one more set of keys to guess against.
    static let maximumDevices = 5
    /// How long a device may take from step 2 to step 4.
    static let pendingLifetime: Int64 = 30 * 60_000
    /// How long after that it is told so, before its keys are erased: a device whose clock is slow asks late.
    static let pendingRetention: Int64 = 60 * 60_000
    /// How many receipts of step 3 are remembered: a late repeat of one must not make the next worthless.
    static let rememberedReceipts = 4
}

extension DeviceRecord {
    /// Whether typed codes of it count.
    var isLoginDevice: Bool {
        switch state {
        case .pendingNotification, .active: true
        case .pending, .locked, .revoked: false
        }
    }

    /// Whether it never completed its activation, locked meanwhile or not: a lock that is lifted leads back there.
    var isUnfinished: Bool {
        switch state {
        case .pending: true
        case .locked: stateBeforeLock == .pending
        case .pendingNotification, .active, .revoked: false
        }
    }

    /// Whether it counts towards the limit of an account.
    var isActivated: Bool {
        switch state {
        case .pendingNotification, .active: true
        case .locked: !isUnfinished
        case .pending, .revoked: false
        }
    }
}
