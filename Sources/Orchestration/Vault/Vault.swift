internal import Crypto
package import Primitives
internal import Wire

/// The records of the users of one app and tenant: sealed by their device keys, in a store.
///
/// Every loss has its name: `storeCorrupt`, `storeRestoredElsewhere`, `storeNewerVersion`, `storeLocked`. After each of
/// them ``delete(_:)`` works, and the user can be activated again.
package struct Vault: Sendable {
    let store: any SecureStore
    let deviceKeys: any DeviceKeyProvider
    private let salts: Salts
    private let tenant: String
    private let allowedCosts: Set<ScryptCost>
    private let random: any RandomSource

    /// Takes what the records are kept with.
    ///
    /// - Parameter allowedCosts: records with another cost are corrupt. Only tests take another list.
    package init(
        store: any SecureStore, deviceKeys: any DeviceKeyProvider, salts: Salts, tenant: String,
        allowedCosts: Set<ScryptCost> = ScryptCost.released, random: any RandomSource
    ) {
        self.store = store
        self.deviceKeys = deviceKeys
        self.salts = salts
        self.tenant = tenant
        self.allowedCosts = allowedCosts
        self.random = random
    }

    /// The name of an account's record: a hash that also depends on the app and the tenant.
    package func name(for account: AccountName) -> StoreName {
        var writer = CBORWriter(capacity: 256)
        writer.array(3)
        writer.text(tenant)
        writer.text(account.userID)
        writer.text(account.domain)
        let hash = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: writer.finish()), salt: salts.storage, info: Label.recordName.bytes,
            outputByteCount: 24)
        let text = unsafe Self.prefix + hash.withUnsafeBytes { unsafe Hex.encode(Array($0)) }
        guard let name = StoreName(text) else { preconditionFailure("name(for:): hex digits make a name") }
        return name
    }

    /// The record of an account, `nil` when there is none.
    package func record(_ account: AccountName) async throws -> UserRecord? {
        try await open(account)?.record
    }

    /// The device key of an account.
    ///
    /// - Throws: `userUnknown` when there is no record.
    package func deviceKey(_ account: AccountName) async throws -> any DeviceKey {
        guard let bytes = try await store.read(name(for: account)) else { throw OrchestrationError(.userUnknown) }
        return try await deviceKeys.key(handle: SealedRecord(decoding: bytes).handle)
    }

    /// The record of an account and the device key that it was sealed with, `nil` when there is none.
    package func open(_ account: AccountName) async throws -> (record: UserRecord, key: any DeviceKey)? {
        let name = name(for: account)
        guard let bytes = try await store.read(name) else { return nil }
        let sealed = try SealedRecord(decoding: bytes)
        let key = try await deviceKeys.key(handle: sealed.handle)
        let record = try sealed.open(as: name, with: await key.secret(.storage), allowedCosts: allowedCosts)
        guard record.account == account, record.tenant == tenant else { throw OrchestrationError(.storeCorrupt) }
        return (record, key)
    }

    /// Stores a new record in place of what the account had, in one step. The device key before is deleted.
    ///
    /// - Throws: `alreadyActivated` when another flow or process has finished an activation of the account meanwhile,
    ///   which stays as it is; what ``open(_:)`` throws for a record that cannot be opened.
    package func create(_ record: UserRecord, key: any DeviceKey) async throws {
        let (name, handle, secret) = (name(for: record.account), key.handle, try await key.secret(.storage))
        let (random, allowedCosts) = (random, allowedCosts)
        for _ in 0..<3 {
            // Fetched before the lock is taken, as for a change.
            let old = try await open(record.account)?.key
            let (oldHandle, oldSecret) = (old?.handle, try await old?.secret(.storage))
            let isStored = try await store.update(name) { current -> (StoreChange, Bool) in
                let sealed = try current.map { try SealedRecord(decoding: $0) }
                guard sealed?.handle == oldHandle else { return (.keep, false) }
                if let sealed, let oldSecret,
                    try sealed.open(as: name, with: oldSecret, allowedCosts: allowedCosts).state == .active
                {
                    throw OrchestrationError(.alreadyActivated)
                }
                let blob = try SealedRecord.seal(
                    record, as: name, handle: handle, with: secret, salt: random.bytes(32))
                return (.replace(blob), true)
            }
            guard isStored else { continue }
            if let oldHandle, oldHandle != handle { try await deviceKeys.delete(handle: oldHandle) }
            return
        }
        throw OrchestrationError(.storeBusy)
    }

    /// Changes a record under the store's lock, in one atomic and durable write; none when nothing was changed.
    ///
    /// - Parameter body: gets the record as it is now, fresh from the store. When it throws, nothing is written. It may
    ///   be called again with a fresh record when the one before turned out to be outdated.
    /// - Throws: `userUnknown` when there is no record, what the store throws, and what the body throws.
    package func update<R: Sendable>(
        _ account: AccountName, _ body: @Sendable (inout UserRecord) throws -> R
    ) async throws -> R {
        try await update(account, expecting: nil, body).result
    }

    /// The same for who has opened the record shortly before: the device key is not fetched again.
    ///
    /// - Parameter expected: the device key that the record probably still has.
    /// - Returns: what the body returned, and the device key of the record that it got.
    package func update<R: Sendable>(
        _ account: AccountName, expecting expected: (any DeviceKey)?, _ body: @Sendable (inout UserRecord) throws -> R
    ) async throws -> (result: R, key: any DeviceKey) {
        if let expected, let done = try await update(account, sealedBy: expected, body) { return (done, expected) }
        // The device key is fetched before the lock is taken, because that may wait. A record with another key by then
        // was activated anew in between; somebody who does that without end is not honest.
        for _ in 0..<3 {
            let key = try await deviceKey(account)
            if let done = try await update(account, sealedBy: key, body) { return (done, key) }
        }
        throw OrchestrationError(.storeBusy)
    }

    private func update<R: Sendable>(
        _ account: AccountName, sealedBy key: any DeviceKey, _ body: @Sendable (inout UserRecord) throws -> R
    ) async throws -> R? {
        let (name, handle, secret) = (name(for: account), key.handle, try await key.secret(.storage))
        let (random, allowedCosts, tenant) = (random, allowedCosts, tenant)
        return try await store.update(name) { current -> (StoreChange, R?) in
            guard let current else { throw OrchestrationError(.userUnknown) }
            let sealed = try SealedRecord(decoding: current)
            guard sealed.handle == handle else { return (.keep, nil) }
            var record = try sealed.open(as: name, with: secret, allowedCosts: allowedCosts)
            guard record.account == account, record.tenant == tenant else { throw OrchestrationError(.storeCorrupt) }
            var (before, after) = (record.encoded, [UInt8]())
            defer {
                before.wipe()
                after.wipe()
            }
            let result = try body(&record)
            after = record.encoded
            guard after != before else { return (.keep, result) }
            let blob = try SealedRecord.seal(
                record, as: name, handle: handle, with: secret, salt: random.bytes(32))
            return (.replace(blob), result)
        }
    }

    /// What is in the store: the accounts that can be opened, and why the others cannot.
    package struct Contents: Sendable {
        /// The records of this tenant, by the text of their accounts.
        package var records: [UserRecord] = []

        /// The names that could not be opened, with the reasons.
        package var failures: [StoreName: OrchestrationError] = [:]
    }

    /// Looks at every record. One that is damaged does not hide the others.
    package func contents() async throws -> Contents {
        var contents = Contents()
        for name in try await store.names() where name.text.hasPrefix(Self.prefix) {
            guard let bytes = try await store.read(name) else { continue }
            do {
                let sealed = try SealedRecord(decoding: bytes)
                let key = try await deviceKeys.key(handle: sealed.handle)
                let record = try sealed.open(as: name, with: await key.secret(.storage), allowedCosts: allowedCosts)
                if record.tenant == tenant { contents.records.append(record) }
            } catch let error as OrchestrationError {
                contents.failures[name] = error
            }
        }
        contents.records.sort { $0.account.text < $1.account.text }
        return contents
    }

    /// The accounts whose records can be opened, sorted.
    package func accounts() async throws -> [AccountName] {
        try await contents().records.map(\.account)
    }

    /// How the names of records begin.
    static let prefix = "user-"
}
