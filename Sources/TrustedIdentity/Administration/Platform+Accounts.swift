public import Primitives

extension Platform {
    /// Returns a report on an account.
    ///
    /// - Parameter account: The account.
    /// - Returns: `nil` when the account does not exist.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func account(_ account: AccountName) async throws -> AccountReport? {
        let (name, now) = (account.text, time.now())
        return try await read { store in
            guard let account = try store.account(name) else { return nil }
            let devices = try store.devices(of: name)
            let progress = ActivationProgress(
                account: account, activationPassword: try store.activationPassword(of: name), devices: devices,
                now: now)
            return AccountReport(
                account, status: progress.status, devices: devices, throttles: try store.throttles(of: name))
        }
    }

    /// Lifts the blocks of an account.
    ///
    /// The counts of failed codes and passwords start again at zero. Devices that were locked because the platform was
    /// restored without a copy of the audit log return to their earlier state. A device that was locked after wrong
    /// passwords, or because its store seems copied, stays locked: register its user again.
    ///
    /// - Throws: ``PlatformError`` with `unknownUser`, `storeFailed`.
    public func liftBlocks(of account: AccountName) async throws {
        let (name, now) = (account.text, time.now())
        try await write { store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            for throttle in try store.throttles(of: name) {
                try requireWritten(store.update(Throttle.lifted(throttle, now: now)))
            }
            try store.append(AuditEntry(time: now, event: .throttleLifted, account: name))
            for var device in try store.devices(of: name) where device.lockReason == .restored {
                device.state = device.stateBeforeLock ?? .pendingNotification
                device.lockReason = nil
                device.stateBeforeLock = nil
                try requireWritten(store.update(device))
                try store.append(AuditEntry(time: now, event: .deviceUnlocked, account: name, device: device.id))
            }
        }
        watch.changed(.account(name))
    }
}
