internal import Logging
internal import Primitives

/// The first start on a store of an earlier version.
///
/// In one transaction, as they are at that time, rows that were not authenticated are sealed, hashed and authenticated,
/// and keys of the platform that have no statement get their first one. The sealed keys of the platform are the marker:
/// they are sealed at revision 0 while no row is authenticated, at revision 1 while the row about the platform is not,
/// at revision 2 while the keys have no statement, at revision 3 while the HMACs of accounts do not cover their
/// subjects, at revision 4 while the entries of the audit log have no seals, and at ``PlatformKeys/revision`` since. A
/// writer to the store cannot make a value of an earlier revision, so that no later start authenticates a row, whatever
/// was removed from it. Only the complete keys of an earlier copy of the store would look like the earlier version
/// again.
struct StoreUpgrade: Sendable {
    /// The number of rows that are read at once.
    private static let page = 500

    let sealer: RowSealer
    let authenticator: RowAuthenticator
    let hashes: KeyedHashes
    let logger: Logger

    /// Upgrades a store, if it is one of an earlier version. Otherwise checks that the master key is that of the store.
    ///
    /// - Parameters:
    ///   - store: A transaction of the store without authentication.
    ///   - auditKey: The key that signs checkpoints of the audit log, where the store has none.
    /// - Throws: ``PlatformError`` with `wrongMasterKey`; then nothing is written.
    func run(in store: any StoreTransaction, auditKey: PlatformKeyRecord, now: Timestamp) throws {
        let keys = try store.platformKeys()
        // The private halves of replaced keys may be erased.
        let revisions = Set(keys.compactMap { $0.privateKey?.revision })
        guard let revision = revisions.first, revisions.count == 1, revision < PlatformKeys.revision else {
            // Another master key makes other HMACs, so it must be found out before they are verified.
            for key in keys {
                guard let sealed = key.privateKey else { continue }
                _ = try sealer.open(sealed, .platformKey, row: key.id, revision: PlatformKeys.revision)
            }
            return
        }
        // A key whose private half was removed, so that the others look like those of an earlier version, is detected.
        guard revision < 3 || keys.allSatisfy({ authenticator.isAuthentic($0) }) else {
            throw PlatformError(.alteredRow)
        }
        try upgradeKeys(keys, revision: revision, in: store, now: now)
        if revision < 2 {
            guard let state = try store.platformState() else { throw PlatformError(.internal) }
            try requireWritten(store.update(authenticator.authenticatedForUpdate(state)))
        }
        if revision == 0 {
            try authenticateRows(in: store)
        } else if revision < 4 {
            try authenticateSubjects(in: store)
        }
        try sealAuditLog(in: store)
        let known = try store.platformKeys()
        guard !known.contains(where: { $0.purpose == .audit }) else { return }
        try requireWritten(store.insert(authenticator.authenticated(auditKey)))
        try PlatformKeys.insertStatement(of: known + [auditKey], in: store, sealer: sealer, now: now)
    }

    /// Makes the seals of the entries of the audit log, as they are at this time.
    private func sealAuditLog(in store: any StoreTransaction) throws {
        var (edge, count, first) = (AuditEdge(), 0, Int64(1))
        while true {
            let rows = try store.auditRows(from: first, limit: Self.page)
            for row in rows {
                let seal = authenticator.seal(row.entry, after: edge)
                guard try row.seal == seal || store.seal(auditEntry: row.entry.sequence, with: seal) else {
                    throw PlatformError(.alteredRow)
                }
                edge.append(row.entry.sequence, subtree: seal.subtree)
            }
            count += rows.count
            guard rows.count == Self.page, edge.last < .max else { break }
            first = edge.last + 1
        }
        logger.notice(
            "the audit log of an earlier version has a tree from now on", metadata: ["rows.audit": "\(count)"])
    }

    /// Authenticates the rows of accounts with the subjects that an upgrade of the store gave them.
    ///
    /// A row that did not have its HMAC before stays without one, and is refused and logged.
    private func authenticateSubjects(in store: any StoreTransaction) throws {
        var (count, last) = (0, String?.none)
        while true {
            let accounts = try store.accounts(after: last, limit: Self.page)
            for account in accounts {
                var earlier = account
                earlier.subject = nil
                guard authenticator.isAuthentic(earlier) else { continue }
                try requireWritten(store.update(authenticator.authenticatedForUpdate(account)))
                count += 1
            }
            guard let name = accounts.last?.name else { break }
            last = name
        }
        logger.notice(
            "the accounts of an earlier version have a subject from now on", metadata: ["rows.accounts": "\(count)"])
    }

    /// Seals and authenticates the keys of the platform, and makes their first statement where they have none.
    private func upgradeKeys(
        _ keys: [PlatformKeyRecord], revision: Int64, in store: any StoreTransaction, now: Timestamp
    ) throws {
        var upgraded: [PlatformKeyRecord] = []
        for var key in keys {
            guard let sealed = key.privateKey else { continue }
            let secret = try sealer.open(sealed, .platformKey, row: key.id, revision: revision)
            key.privateKey = try sealer.seal(secret, .platformKey, row: key.id, revision: PlatformKeys.revision)
            try requireWritten(store.update(authenticator.authenticatedForUpdate(key)))
            upgraded.append(key)
        }
        guard revision < 3 else { return }
        try PlatformKeys.insertStatement(of: upgraded, in: store, sealer: sealer, now: now)
        logger.notice("the keys of an earlier version have a key statement from now on")
    }

    /// Seals, hashes and authenticates the rows of accounts, devices and API keys.
    private func authenticateRows(in store: any StoreTransaction) throws {
        let accounts = try upgradeAccounts(in: store)
        let devices = try upgradeDevices(in: store)
        for var key in try store.apiKeys() {
            key.secretHash = hashes.stored(apiKeyHash: key.secretHash)
            try requireWritten(store.update(authenticator.authenticatedForUpdate(key)))
        }
        // The keys of exchanges live for two minutes. Their devices begin again with the same activation password.
        while try store.activationSessionCount(of: "") > 0 {
            try store.removeOldestActivationSessions(of: "", limit: Self.page)
        }
        logger.notice(
            "the rows of an earlier version are authenticated from now on",
            metadata: ["rows.accounts": "\(accounts)", "rows.devices": "\(devices)"])
    }

    private func upgradeAccounts(in store: any StoreTransaction) throws -> Int {
        var (count, last) = (0, String?.none)
        while true {
            let accounts = try store.accounts(after: last, limit: Self.page)
            for account in accounts {
                try requireWritten(store.update(authenticator.authenticatedForUpdate(account)))
                try upgradeActivationPassword(of: account.name, in: store)
                let unnamed = ["", ThrottleScope.overallSource]
                for var throttle in try store.throttles(of: account.name) where !unnamed.contains(throttle.key.source) {
                    try store.removeThrottle(throttle.key)
                    throttle.key.source = hashes.stored(sourceHash: throttle.key.source)
                    try requireWritten(store.insert(throttle))
                }
            }
            count += accounts.count
            guard let name = accounts.last?.name else { return count }
            last = name
        }
    }

    private func upgradeActivationPassword(of account: String, in store: any StoreTransaction) throws {
        guard var password = try store.activationPassword(of: account), let sealed = password.secret else { return }
        let row = Array(password.registrationID.utf8)
        // A secret that does not open starts no activation. Its user is registered again.
        password.secret = try ifOpened { try sealer.open(sealed, .activationPassword, row: row, revision: 0) }.map {
            try sealer.seal(
                $0.secret, .activationPassword, row: row, owner: RowOwner(account: account), revision: 0)
        }
        try requireWritten(store.update(password))
    }

    private func upgradeDevices(in store: any StoreTransaction) throws -> Int {
        var (count, last) = (0, [UInt8]?.none)
        while true {
            let devices = try store.devices(after: last, limit: Self.page)
            for device in devices {
                // A device whose keys do not open stays without an HMAC, and is refused and logged from now on.
                guard let bound = try bound(device) else { continue }
                try requireWritten(store.update(authenticator.authenticatedForUpdate(bound)))
                count += 1
            }
            guard let id = devices.last?.id else { return count }
            last = id
        }
    }

    /// Returns a device whose keys are sealed with the names of its owner; `nil` when they do not open.
    private func bound(_ device: DeviceRecord) throws -> DeviceRecord? {
        guard let secrets = device.secrets, let ratchet = device.ratchet else { return device }
        let index = Int64(clamping: device.ratchetIndex)
        let openedSecrets = try ifOpened { try sealer.open(secrets, .deviceSecrets, row: device.id, revision: 0) }
        let openedRatchet = try ifOpened { try sealer.open(ratchet, .deviceRatchet, row: device.id, revision: index) }
        guard let openedSecrets, let openedRatchet else { return nil }
        var device = device
        let owner = RowOwner(device)
        device.secrets = try sealer.seal(
            openedSecrets.secret, .deviceSecrets, row: device.id, owner: owner,
            revision: Int64(clamping: device.generation))
        device.ratchet = try sealer.seal(
            openedRatchet.secret, .deviceRatchet, row: device.id, owner: owner, revision: index)
        return device
    }

    private func ifOpened(_ open: () throws -> SecretBytes) throws -> SecretBox<SecretBytes>? {
        do {
            return SecretBox(try open())
        } catch let error as PlatformError where error.code == .wrongMasterKey {
            return nil
        }
    }
}
