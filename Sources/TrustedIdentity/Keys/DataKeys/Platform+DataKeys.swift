public import Logging
public import Primitives

extension Platform {
    /// Replaces the keys that seal and authenticate the rows of a store. Call it after these keys may have been
    /// disclosed, while no platform is open on the store, and replace the master key before.
    ///
    /// One transaction seals and authenticates each row again. A row without its HMAC stays as it is, and refused. A row
    /// that was written with the disclosed keys is not recognized. The keys of the hashes and the change key stay, except those that a parameter names. Make a backup
    /// afterwards: an exported audit log from after the call does not apply to a backup from before it.
    ///
    /// - Parameters:
    ///   - store: The store of all rows.
    ///   - masterKey: The master key of the store.
    ///   - otherMasterKeys: Further keys that the store may need after an interrupted replacement of the master key.
    ///   - tenant: The tenant of the store, as in ``PlatformConfiguration``.
    ///   - forgettingSources: Whether the keys of the hashes of sources and browsers are replaced, too. The platform
    ///     then knows no source and no browser of an account.
    ///   - time: The clock for the entry in the audit log.
    ///   - random: The source of keys. Replace it in tests only.
    ///   - logger: The logger of a platform.
    ///   - progress: Called after each 1,000 rows with the number of rows so far.
    /// - Returns: The numbers of rows.
    /// - Throws: ``PlatformError`` with `wrongTenant`, `wrongMasterKey`, `alteredRow` when the row about the platform is
    ///   missing or was changed, and `storeFailed`, also for a row that the store cannot read. Then nothing was changed.
    @discardableResult
    public static func replaceDataKeys(
        on store: any PlatformStore, masterKey: MasterKey, otherMasterKeys: [MasterKey] = [],
        tenant: String = PlatformConfiguration().tenant, forgettingSources: Bool = false,
        time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> DataKeysReport {
        let masterKeys = [masterKey] + otherMasterKeys
        let now = time.now()
        let entryID = random.bytes(16)
        return try await PlatformError.mapping {
            try await LoggedStore(base: store, time: time, logger: logger).write { store in
                guard let state = try store.platformState() else { throw PlatformError(.alteredRow) }
                let masterKey = try DataKeys.masterKey(of: state, tenant: tenant, among: masterKeys)
                let old = try DataKeys(state, tenant: tenant, masterKeys: [masterKey])
                let new = try old.replaced(forgettingSources: forgettingSources, random: random)
                let rows = RowRenewal(
                    in: store, from: old, to: new, tenant: tenant, random: random, progress: progress)
                guard rows.isAuthentic(state) else { throw PlatformError(.alteredRow) }
                try rows.renewAll()
                try rows.renew(state) {
                    $0.dataKeys = try new.wrapped(by: masterKey, tenant: tenant, random: random)
                } update: {
                    try store.update($0)
                }
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

    private let store: any StoreTransaction
    private let old: (sealer: RowSealer, authenticator: RowAuthenticator)
    private let new: (sealer: RowSealer, authenticator: RowAuthenticator)
    private let progress: (Int) -> Void
    /// The number of rows that were written.
    private(set) var count = 0
    /// The number of rows without their HMAC.
    private(set) var refusedCount = 0

    init(
        in store: any StoreTransaction, from old: DataKeys, to new: DataKeys, tenant: String,
        random: any RandomSource, progress: @escaping (Int) -> Void
    ) {
        self.store = store
        self.progress = progress
        func means(_ keys: DataKeys) -> (RowSealer, RowAuthenticator) {
            (RowSealer(tenant: tenant, keys: keys, random: random), RowAuthenticator(tenant: tenant, keys: keys))
        }
        (self.old, self.new) = (means(old), means(new))
    }

    func isAuthentic(_ row: some AuthenticatedRecord) -> Bool { old.authenticator.isAuthentic(row) }

    /// Renews a row with an HMAC. One without the right HMAC stays refused.
    func renew<Row: AuthenticatedRecord>(
        _ row: Row, _ change: (inout Row) throws -> Void = { _ in }, update: (Row) throws -> Bool
    ) throws {
        guard isAuthentic(row) else {
            refusedCount += 1
            return
        }
        var row = row
        try change(&row)
        try requireWritten(update(new.authenticator.authenticatedForUpdate(row)))
        noteRow()
    }

    private func noteRow() {
        count += 1
        if count.isMultiple(of: Self.page) { progress(count) }
    }

    /// Seals a value again. One that does not open in its row stays, and is refused as before.
    private func resealed(
        _ value: SealedValue?, _ table: RowSealer.Table, row: [UInt8], owner: RowOwner? = nil
    ) throws -> SealedValue? {
        guard let value else { return nil }
        guard let secret = try? old.sealer.open(value, table, row: row, owner: owner) else { return value }
        return try new.sealer.seal(secret, table, row: row, owner: owner, revision: value.revision)
    }

    /// Renews all rows but that about the platform.
    func renewAll() throws {
        for key in try store.platformKeys() {
            try renew(key) {
                $0.privateKey = try resealed($0.privateKey, .platformKey, row: $0.id)
            } update: {
                try store.update($0)
            }
        }
        for key in try store.apiKeys() { try renew(key) { try store.update($0) } }
        try renewPages {
            try store.accounts(after: $0?.name, limit: Self.page)
        } each: { account in
            try renew(account) {
                $0.staticPassword = try resealed($0.staticPassword, .staticPassword, row: Array($0.name.utf8))
            } update: {
                try store.update($0)
            }
            try renewActivationPassword(of: account.name)
        }
        try renewPages {
            try store.accountRisks(after: $0?.account, limit: Self.page)
        } each: { risk in
            try renew(risk) { try store.update($0) }
        }
        try renewPages {
            try store.devices(after: $0?.id, limit: Self.page)
        } each: { device in
            let owner = RowOwner(device)
            try renew(device) {
                $0.secrets = try resealed($0.secrets, .deviceSecrets, row: $0.id, owner: owner)
                $0.ratchet = try resealed($0.ratchet, .deviceRatchet, row: $0.id, owner: owner)
                $0.channelKey = try resealed($0.channelKey, .revokedChannelKey, row: $0.id, owner: owner)
            } update: {
                try store.update($0)
            }
            try renewData(of: device)
        }
        try renewPages {
            try store.challenges(after: $0?.id, limit: Self.page)
        } each: { challenge in
            try renew(challenge) { try store.update($0) }
        }
        try renewPages {
            try store.approvals(after: $0?.id, limit: Self.page)
        } each: { approval in
            try renew(approval) {
                $0.number = try resealed(
                    $0.number, .approvalNumber, row: $0.id, owner: RowOwner(account: $0.account))
            } update: {
                try store.update($0)
            }
        }
        try renewPages {
            try store.activationSessions(after: $0?.id, limit: Self.page)
        } each: { session in
            let owner = RowOwner(exchangeOf: session.account, registrationID: session.registrationID)
            var session = session
            session.keys = try resealed(session.keys, .activationSession, row: session.id, owner: owner)
            try requireWritten(store.update(session))
            noteRow()
        }
        try renewPages {
            try store.events(after: $0?.sequence ?? 0, limit: Self.page)
        } each: { event in
            try renew(event) { try store.update($0) }
        }
    }

    /// Renews the activation password of an account, whose row has no HMAC.
    private func renewActivationPassword(of account: String) throws {
        guard var password = try store.activationPassword(of: account) else { return }
        password.secret = try resealed(
            password.secret, .activationPassword, row: Array(password.registrationID.utf8),
            owner: RowOwner(account: account))
        try requireWritten(store.update(password))
        noteRow()
    }

    /// Renews the data of a device, whose row has no HMAC.
    private func renewData(of device: DeviceRecord) throws {
        guard let data = try store.deviceData(of: device.id),
            let content = try resealed(data.content, .deviceData, row: device.id, owner: RowOwner(device))
        else { return }
        try store.put(DeviceDataRecord(device: data.device, content: content, keptUntil: data.keptUntil))
        noteRow()
    }

    private func renewPages<Row>(_ page: (Row?) throws -> [Row], each body: (Row) throws -> Void) throws {
        var last: Row?
        repeat {
            let rows = try page(last)
            for row in rows { try body(row) }
            last = rows.last
        } while last != nil
    }
}
