internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The revocation of a device. Every path that ends a device uses it: its own deletion, the removal of its account, an
/// administrator or an application server, a newer activation, its move, its expiry, and a restore that applies an
/// audit log.
struct DeviceRevocation: Sendable {
    /// The number of revoked devices of an account that are kept. A further one removes the device that was revoked
    /// first.
    static let maximumKept = 20

    let sealer: RowSealer
    let now: Timestamp
    /// The reason in the audit log, a constant word.
    let reason: String

    /// Makes a device inactive and erases its keys, in a transaction. The record is the row as this transaction, or the
    /// decision that it writes, read it.
    ///
    /// A device that never completed its activation leaves no row. An activated device leaves a row with the pre-shared
    /// key of its channel and no other key. The platform can then refuse its requests under its seal. Its open move
    /// ends.
    ///
    /// - Throws: ``WriteConflict`` when the row changed since it was read.
    func revoke(_ device: DeviceRecord, in store: StoreTransaction) throws {
        // Every request of the device is refused from now on.
        try store.removeRefusals(of: device.id)
        try store.removeStreamTokens(of: device.id)
        try store.endUnlockCodes(of: device.id)
        try store.removeDeviceData(of: device.id)
        if device.isUnfinished {
            try store.removeDevice(device.id)
            try append(.activationDropped, of: device, in: store)
            return
        }
        try removeOldest(of: device.account, in: store)
        try requireWritten(store.update(revoked(device)))
        try store.endMove(of: device.id, account: device.account, now: now)
        try store.noteRevoked(device.id, in: DeviceRecord.table.name)
        try store.removeCodeCounters(of: device.id)
        try append(.deviceRevoked, of: device, in: store)
    }

    /// Returns the row of a device once it is revoked.
    private func revoked(_ device: DeviceRecord) throws -> DeviceRecord {
        var device = device
        device.channelKey = try sealedChannelKey(of: device)
        device.state = .revoked
        device.lockReason = nil
        device.stateBeforeLock = nil
        device.revokedAt = now
        device.secrets = nil
        device.enrolledMethods = []
        device.ratchet = nil
        device.receiptHashes = []
        device.notificationIdentifier = nil
        device.isRestored = false
        return device
    }

    /// Returns the pre-shared key of the channel, sealed alone; `nil` when the keys of the device do not open for any
    /// reason. Nothing may prevent a revocation.
    private func sealedChannelKey(of device: DeviceRecord) throws -> SealedValue? {
        guard let secrets = try? DeviceSecrets(of: device, owner: RowOwner(device), sealer: sealer) else { return nil }
        return try sealer.seal(
            secrets.channel.secretBytes, .revokedChannelKey, row: device.id, owner: RowOwner(device), revision: 0)
    }

    /// Removes the devices that were revoked first, to keep one more within ``maximumKept``.
    private func removeOldest(of account: String, in store: StoreTransaction) throws {
        let revoked = try store.devices(of: account).filter { $0.state == .revoked }
        let excess = revoked.count - (Self.maximumKept - 1)
        guard excess > 0 else { return }
        let byAge = revoked.sorted { ($0.revokedAt ?? $0.createdAt) < ($1.revokedAt ?? $1.createdAt) }
        for device in byAge.prefix(excess) { try store.removeDevice(device.id) }
    }

    private func append(_ event: AuditEvent, of device: DeviceRecord, in store: StoreTransaction) throws {
        try store.append(
            AuditEntry(time: now, event: event, account: device.account, device: device.id, reason: reason))
    }
}

extension StoreTransaction {
    /// Stores a new activation password instead of the previous one of its account, and drops the devices whose
    /// activation is not complete.
    func replaceActivationPassword(
        by record: ActivationPasswordRecord, dropping revocation: DeviceRevocation
    ) throws {
        try put(record)
        for device in try devices(of: record.account) where device.isUnfinished {
            try revocation.revoke(device, in: self)
        }
    }

    /// Marks the latest registration of an account as finished, if it is the device's registration and not finished
    /// yet. An account that was altered or removed stays as it is.
    func finishRegistration(of device: DeviceRecord, now: Timestamp) throws {
        guard var account = try account(device.account), account.finishedAt == nil,
            account.registrationID == device.registrationID
        else { return }
        account.finishedAt = now
        try requireWritten(update(account))
    }
}

extension DeviceRecord {
    /// Whether the device is revoked and the platform still knows it. Its row stays until the next sweep.
    ///
    /// - Parameter retention: The time for which a revoked device is known.
    func isKnownRevoked(for retention: Duration, now: Timestamp) -> Bool {
        guard state == .revoked, let revokedAt else { return false }
        return now < revokedAt.advanced(by: retention)
    }

    /// Opens the pre-shared key of a revoked device. The key serves only to open requests that are then refused.
    ///
    /// - Returns: `nil` for a device that is not revoked, or is no longer known.
    /// - Throws: ``PlatformError`` with `wrongMasterKey`.
    func revokedChannelKey(
        sealer: RowSealer, knownFor retention: Duration, now: Timestamp
    ) throws -> SymmetricKey? {
        guard isKnownRevoked(for: retention, now: now), let channelKey else { return nil }
        return SymmetricKey(
            try sealer.open(channelKey, .revokedChannelKey, row: id, owner: RowOwner(self), revision: 0))
    }
}
