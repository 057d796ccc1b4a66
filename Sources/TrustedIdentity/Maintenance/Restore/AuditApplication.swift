internal import Primitives

/// The application of an audit log's revocations to a restored store. Rows that were made after the restore stay.
struct AuditApplication {
    private static let reason = "revokedBeforeRestore"

    /// The current epoch.
    let epoch: Int64
    let now: Timestamp
    private let sealer: RowSealer
    private(set) var report: RestoreReport

    /// Creates an application.
    ///
    /// - Parameter report: The report of the previous parts.
    init(epoch: Int64, now: Timestamp, sealer: RowSealer, report: RestoreReport) {
        self.epoch = epoch
        self.now = now
        self.sealer = sealer
        self.report = report
    }

    /// Applies an entry. An entry that was applied before has no effect, except that a device that was unlocked since
    /// is locked again.
    mutating func apply(_ entry: AuditEntry, in store: StoreTransaction) throws {
        switch entry.event {
        case .deviceRevoked: try revokeDevice(entry, in: store)
        case .deviceLocked: try lockDevice(entry, in: store)
        case .apiKeyRevoked: try revokeAPIKey(entry, in: store)
        case .staticPasswordEnded: try endStaticPassword(entry, in: store)
        case .unregistered: try unregister(entry, in: store)
        default: break
        }
    }

    private mutating func revokeDevice(_ entry: AuditEntry, in store: StoreTransaction) throws {
        guard let id = entry.device, let device = try ifUnaltered({ try store.device(id) }) else {
            report.unknown.append(entry)
            return
        }
        guard device.state != .revoked else { return }
        try revocation.revoke(device, in: store)
        report.devices += 1
    }

    private var revocation: DeviceRevocation { DeviceRevocation(sealer: sealer, now: now, reason: Self.reason) }

    /// Locks a device again, even if it was unlocked after the entry. It needs another unlock code: the platform does
    /// not have the password that the user chose with the previous code.
    private mutating func lockDevice(_ entry: AuditEntry, in store: StoreTransaction) throws {
        guard let reason = LockReason(rawValue: entry.reason), let id = entry.device,
            var device = try ifUnaltered({ try store.device(id) }), device.state != .locked, device.state != .revoked
        else { return }
        device.lock(reason)
        try requireWritten(store.update(device))
        try store.append(
            AuditEntry(time: now, event: .deviceLocked, account: device.account, device: id, reason: reason.rawValue))
    }

    private mutating func revokeAPIKey(_ entry: AuditEntry, in store: StoreTransaction) throws {
        // The reason of the entry is the id of the key.
        guard let key = try ifUnaltered({ try store.apiKey(entry.reason) }) else {
            report.unknown.append(entry)
            return
        }
        guard key.revokedAt == nil, try store.revokeAPIKey(key.id, at: now) else { return }
        try store.append(AuditEntry(time: now, event: .apiKeyRevoked, reason: key.id))
        report.apiKeys += 1
    }

    private mutating func endStaticPassword(_ entry: AuditEntry, in store: StoreTransaction) throws {
        guard let account = try account(of: entry, in: store), let id = account.staticPasswordID else { return }
        // The first entry after the backup ends whatever the account had at the backup. A password that was lifted
        // meanwhile is found by its id, and a password that was set meanwhile stays.
        guard id == entry.reason || account.staticPasswordEpoch < epoch else { return }
        try endStaticPassword(of: account, id, in: store)
    }

    private mutating func unregister(_ entry: AuditEntry, in store: StoreTransaction) throws {
        guard let account = try account(of: entry, in: store) else { return }
        guard account.registrationEpoch == epoch else {
            try Platform.unregister(account.name, in: store, sealer: sealer, now: now)
            report.accounts += 1
            return
        }
        // The user was registered again after the restore. The account stays, and its previous devices and password
        // end.
        for device in try store.devices(of: account.name) where device.epoch < epoch && device.state != .revoked {
            try revocation.revoke(device, in: store)
            report.devices += 1
        }
        guard let id = account.staticPasswordID, account.staticPasswordEpoch < epoch else { return }
        try endStaticPassword(of: account, id, in: store)
    }

    private mutating func endStaticPassword(
        of account: AccountRecord, _ id: String, in store: StoreTransaction
    ) throws {
        var account = account
        account.staticPassword = nil
        try requireWritten(store.update(account))
        try store.appendEnd(ofStaticPassword: id, of: account.name, now: now)
        report.staticPasswords += 1
    }

    private mutating func account(of entry: AuditEntry, in store: StoreTransaction) throws -> AccountRecord? {
        let account = try entry.subject.flatMap { try store.account(ofSubject: $0) }
        if account == nil { report.unknown.append(entry) }
        return account
    }
}
