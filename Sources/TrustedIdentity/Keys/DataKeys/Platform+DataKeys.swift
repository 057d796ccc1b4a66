public import Logging
public import Primitives

extension Platform {
    /// Replaces the keys that seal and authenticate the rows of a store. Call it after these keys may have been
    /// disclosed, while no platform is open on the store, and replace the master key first.
    ///
    /// One transaction seals and authenticates each row again. A row without a valid HMAC stays as it is and remains
    /// refused. A row that was written with the disclosed keys is not recognized. The hash keys and the change key
    /// stay, except the keys that a parameter names. Make a backup afterwards: an audit log exported after the call
    /// does not apply to a backup from before it.
    ///
    /// - Parameters:
    ///   - database: The database of the platform.
    ///   - masterKey: The master key of the database.
    ///   - otherMasterKeys: Further keys that the store may need after an interrupted replacement of the master key.
    ///   - tenant: The tenant of the store, as in ``PlatformConfiguration``.
    ///   - forgettingSources: Whether the hash keys of sources and browsers are also replaced. The platform then knows
    ///     no source and no browser of an account.
    ///   - time: The clock for the entry in the audit log.
    ///   - random: The source of keys. Replace it in tests only.
    ///   - logger: The logger of a platform.
    ///   - progress: Called after each 1,000 rows with the number of rows so far.
    /// - Returns: The numbers of rows.
    /// - Throws: ``PlatformError`` with `wrongTenant`; `wrongMasterKey`; `alteredRow` when the row about the platform
    ///   is missing or was changed, or when rows of revoked devices or API keys were put back; `storeFailed`, also for
    ///   a row that the store cannot read. After an error, nothing was changed.
    @discardableResult
    public static func replaceDataKeys(
        on database: any SQLDatabase, masterKey: MasterKey, otherMasterKeys: [MasterKey] = [],
        tenant: String = PlatformConfiguration().tenant, forgettingSources: Bool = false,
        time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> DataKeysReport {
        let masterKeys = [masterKey] + otherMasterKeys
        let now = time.now()
        let entryID = random.bytes(16)
        return try await PlatformError.mapping {
            try await Store(database, time: time, logger: logger).write { store in
                guard let state = try store.platformState() else { throw PlatformError(.alteredRow) }
                let masterKey = try DataKeys.masterKey(of: state, tenant: tenant, among: masterKeys)
                let old = try DataKeys(state, tenant: tenant, masterKeys: [masterKey])
                let new = try old.replaced(forgettingSources: forgettingSources, random: random)
                let rows = RowRenewal(
                    in: store, from: old, to: new, tenant: tenant, random: random, progress: progress)
                try rows.renewAll()
                try rows.renewState { $0.dataKeys = try new.wrapped(by: masterKey, tenant: tenant, random: random) }
                var entry = AuditEntry(
                    time: now, event: .dataKeysReplaced, reason: forgettingSources ? "sources" : ""
                ).caused(by: .platform)
                entry.id = entryID
                try store.append(entry)
                return DataKeysReport(rows: rows.count, refusedRows: rows.refusedCount)
            }
        }
    }
}

/// The walk through all rows that the data keys seal or authenticate.
private final class RowRenewal {
    private static let page = 1_000

    private let old: StoreTransaction
    private let new: StoreTransaction
    private let oldAuthenticator: RowAuthenticator
    private let newAuthenticator: RowAuthenticator
    private let oldSealer: RowSealer
    private let newSealer: RowSealer
    private let progress: (Int) -> Void
    /// The number of rows that were written.
    private(set) var count = 0
    /// The number of rows without their HMAC.
    private(set) var refusedCount = 0

    init(
        in store: StoreTransaction, from old: DataKeys, to new: DataKeys, tenant: String, random: any RandomSource,
        progress: @escaping (Int) -> Void
    ) {
        self.progress = progress
        oldAuthenticator = RowAuthenticator(tenant: tenant, keys: old)
        newAuthenticator = RowAuthenticator(tenant: tenant, keys: new)
        self.old = store.checking(oldAuthenticator)
        self.new = store.checking(newAuthenticator)
        oldSealer = RowSealer(tenant: tenant, keys: old, random: random)
        newSealer = RowSealer(tenant: tenant, keys: new, random: random)
    }

    /// Renews the row about the platform.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow`.
    func renewState(_ change: (inout PlatformStateRecord) throws -> Void) throws {
        var state = try old.currentState()
        state.revocations = try new.revocations(newAuthenticator)
        try change(&state)
        try requireWritten(new.update(state))
        noteRow()
    }

    /// Renews all rows except the row about the platform.
    func renewAll() throws {
        // Nothing is renewed if the new HMACs would hide what the previous ones show.
        let state = try old.currentState()
        guard state.revocations == (try old.revocations(oldAuthenticator)) else { throw PlatformError(.alteredRow) }
        try renewRows {
            $0 == nil ? try old.records("ORDER BY id") : []
        } _: { (key: inout PlatformKeyRecord) in
            key.privateKey = try resealed(key.privateKey, .platformKey, row: key.id)
        }
        try renewRows {
            $0 == nil ? try old.records("ORDER BY id") : []
        } _: { (_: inout APIKeyRecord) in
        }
        try renewRows {
            try old.devices(after: $0?.id, limit: Self.page)
        } _: { device in
            let owner = RowOwner(device)
            device.secrets = try resealed(device.secrets, .deviceSecrets, row: device.id, owner: owner)
            device.ratchet = try resealed(device.ratchet, .deviceRatchet, row: device.id, owner: owner)
            device.channelKey = try resealed(device.channelKey, .revokedChannelKey, row: device.id, owner: owner)
            try renewData(of: device)
        }
        try renewRows {
            try old.approvals(after: $0?.id, limit: Self.page)
        } _: { approval in
            approval.number = try resealed(
                approval.number, .approvalNumber, row: approval.id, owner: RowOwner(account: approval.account))
        }
        try renewRows {
            try old.accounts(after: $0?.name, limit: Self.page)
        } _: { account in
            account.staticPassword = try resealed(
                account.staticPassword, .staticPassword, row: Array(account.name.utf8))
            try renewActivationPassword(of: account.name)
        }
        try renewRows {
            try old.activationSessions(after: $0?.id, limit: Self.page)
        } _: { session in
            let owner = RowOwner(exchangeOf: session.account, registrationID: session.registrationID)
            session.keys = try resealed(session.keys, .activationSession, row: session.id, owner: owner)
        }
    }

    /// Renews the rows of a table. Rows without a valid HMAC stay refused.
    ///
    /// - Parameters:
    ///   - page: A closure that returns the rows after one.
    ///   - change: A closure that changes a row.
    private func renewRows<Row: StoredRecord & VersionedRecord>(
        _ page: (Row?) throws -> [Row], _ change: (inout Row) throws -> Void
    ) throws {
        var renewed = 0
        var last: Row?
        repeat {
            let rows = try page(last)
            for var row in rows {
                try change(&row)
                try requireWritten(new.update(row))
                renewed += 1
                noteRow()
            }
            last = rows.last
        } while last != nil
        refusedCount += (try old.value("SELECT count(*) FROM \(Row.table.name)") ?? 0) - renewed
    }

    /// Renews the activation password of an account.
    private func renewActivationPassword(of account: String) throws {
        guard var password = try old.activationPassword(of: account) else { return }
        password.secret = try resealed(
            password.secret, .activationPassword, row: Array(password.registrationID.utf8),
            owner: RowOwner(account: account))
        try requireWritten(new.update(password))
        noteRow()
    }

    /// Renews the data of a device.
    private func renewData(of device: DeviceRecord) throws {
        guard let data = try old.deviceData(of: device.id),
            let content = try resealed(data.content, .deviceData, row: device.id, owner: RowOwner(device))
        else { return }
        try new.put(DeviceDataRecord(device: data.device, content: content, keptUntil: data.keptUntil))
        noteRow()
    }

    /// Seals a value again. A value that does not open in its row stays, and is refused as before.
    private func resealed(
        _ value: SealedValue?, _ table: RowSealer.Table, row: [UInt8], owner: RowOwner? = nil
    ) throws -> SealedValue? {
        guard let value else { return nil }
        guard let secret = try? oldSealer.open(value, table, row: row, owner: owner) else { return value }
        return try newSealer.seal(secret, table, row: row, owner: owner, revision: value.revision)
    }

    private func noteRow() {
        count += 1
        if count.isMultiple(of: Self.page) { progress(count) }
    }
}
