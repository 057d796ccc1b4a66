public import Primitives

// After a restore without an audit log, what was made before is suspended. These lift the suspension of one row each.
// Each of them changes nothing where nothing is suspended, so that it can be repeated.
extension Platform {
    /// Lifts the suspension of a device. The device then has to synchronize before its typed codes are accepted.
    ///
    /// A device that was locked after wrong passwords, or because its store seems copied, stays locked, and a revoked
    /// one stays revoked.
    ///
    /// - Parameters:
    ///   - account: The account of the device.
    ///   - id: The id of the device, 16 bytes.
    /// - Throws: ``PlatformError`` with `unknownUser`, `unknownDevice`, `alteredRow`, `storeFailed`.
    public func liftDevice(_ id: [UInt8], of account: AccountName) async throws {
        let (name, now) = (account.text, time.now())
        try await write { store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            guard let row = try store.device(id), row.account == name else { throw PlatformError(.unknownDevice) }
            let state = try store.presentState()
            var device = state.current(row)
            guard row.isSuspended(by: state) else { return }
            device.epoch = state.epoch
            try requireWritten(store.update(device))
            try store.append(AuditEntry(time: now, event: .deviceLifted, account: name, device: id))
        }
        watch.changed(.account(name))
    }

    /// Lifts the suspension of an API key. A revoked key stays revoked.
    ///
    /// - Throws: ``PlatformError`` with `unknownAPIKey`, `alteredRow`, `storeFailed`.
    public func liftAPIKey(_ id: String) async throws {
        let now = time.now()
        try await write { store in
            guard var key = try store.apiKey(id) else { throw PlatformError(.unknownAPIKey) }
            let state = try store.presentState()
            guard key.revokedAt == nil, state.suspends(epoch: key.epoch) else { return }
            key.epoch = state.epoch
            try requireWritten(store.update(key))
            try store.append(AuditEntry(time: now, event: .apiKeyLifted, reason: id))
        }
    }

    /// Lifts the suspension of the static password of an account. Failures that were counted meanwhile stay:
    /// ``liftBlocks(of:)`` ends them.
    ///
    /// - Throws: ``PlatformError`` with `unknownUser`, `alteredRow`, `storeFailed`.
    public func liftStaticPassword(of account: AccountName) async throws {
        let (name, now) = (account.text, time.now())
        try await write { store in
            guard var account = try store.account(name) else { throw PlatformError(.unknownUser) }
            let state = try store.presentState()
            guard account.staticPassword != nil, state.suspends(epoch: account.staticPasswordEpoch) else { return }
            account.staticPasswordEpoch = state.epoch
            try requireWritten(store.update(account))
            try store.append(AuditEntry(time: now, event: .staticPasswordLifted, account: name))
        }
    }
}
