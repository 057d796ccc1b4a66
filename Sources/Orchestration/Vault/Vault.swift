internal import Crypto
internal import OrchestrationProtocol
package import Primitives

/// The records of the users of one app and tenant. They are kept in a store, sealed by their device keys.
///
/// For a record that cannot be read, the error is `storeCorrupt`, `storeNewerVersion`, `storeRestoredElsewhere` or
/// `storeLocked`. ``delete(_:)`` works in each case, and the user can be activated again.
package struct Vault: Sendable {
    let store: any SecureStore
    let deviceKeys: any DeviceKeyProvider
    private let salts: Salts
    private let tenant: String
    private let allowedCosts: Set<ScryptCost>
    private let random: any RandomSource
    /// The streams of account events, which copies of a vault share.
    let watch = AccountWatch()

    /// Creates a vault.
    ///
    /// - Parameter allowedCosts: The costs that a record may have; a record with another one is corrupt. Only tests use
    ///   another list.
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

    /// Returns the name of an account's record, a hash that also depends on the app and the tenant.
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

    /// Returns the record of an account; `nil` when there is none.
    package func record(_ account: AccountName) async throws -> UserRecord? {
        try await open(account)?.record
    }

    /// Returns the device key of an account.
    ///
    /// - Throws: `userUnknown` when there is no record.
    package func deviceKey(_ account: AccountName) async throws -> any DeviceKey {
        guard let bytes = try await store.read(name(for: account)) else { throw OrchestrationError(.userUnknown) }
        return try await deviceKeys.key(handle: SealedRecord(decoding: bytes).handle)
    }

    /// Returns the record of an account and the device key that seals it; `nil` when there is none.
    package func open(_ account: AccountName) async throws -> (record: UserRecord, key: any DeviceKey)? {
        guard let opened = try await open(name(for: account)) else { return nil }
        guard opened.record.account == account else { throw OrchestrationError(.storeCorrupt) }
        return opened
    }

    /// Returns the record with a name; `nil` when there is none.
    func record(named name: StoreName) async throws -> UserRecord? { try await open(name)?.record }

    private func open(_ name: StoreName) async throws -> (record: UserRecord, key: any DeviceKey)? {
        guard let bytes = try await store.read(name) else { return nil }
        let sealed = try SealedRecord(decoding: bytes)
        let key = try await deviceKeys.key(handle: sealed.handle)
        let record = try sealed.open(as: name, with: await key.secret(.storage), allowedCosts: allowedCosts)
        guard record.tenant == tenant else { throw OrchestrationError(.storeCorrupt) }
        return (record, key)
    }

    /// Stores a new record instead of the account's current one, in one step.
    ///
    /// The device key of the current record is deleted. A locked record keeps its key and stays next to the new one
    /// until ``update(_:_:)`` makes the new record active, or ``delete(_:ofDevice:restoringReplaced:)`` restores it.
    ///
    /// - Throws: `alreadyActivated` when another flow or process has finished an activation of the account; the other
    ///   activation is kept. The errors of ``open(_:)`` for a current record that cannot be opened.
    package func create(_ record: UserRecord, key: any DeviceKey) async throws {
        let (name, handle, secret) = (name(for: record.account), key.handle, try await key.secret(.storage))
        let (random, allowedCosts) = (random, allowedCosts)
        for _ in 0..<3 {
            // The key is fetched before the lock is taken, because fetching it may wait.
            let old = try await open(record.account)?.key
            let (oldHandle, oldSecret) = (old?.handle, try await old?.secret(.storage))
            let keepsOld = try await store.update(name) { current -> (StoreChange, Bool?) in
                let sealed = try current.map { try SealedRecord(decoding: $0) }
                guard sealed?.handle == oldHandle else { return (.keep, nil) }
                var (record, replaced) = (record, sealed?.replaced)
                if let sealed, let oldSecret {
                    let old = try sealed.open(as: name, with: oldSecret, allowedCosts: allowedCosts)
                    if old.state == .active { throw OrchestrationError(.alreadyActivated) }
                    record.replacedDevice = old.replacedDevice
                    if case .locked = old.state, replaced == nil {
                        (record.replacedDevice, replaced) = (old.deviceID, current)
                    }
                }
                let blob = try SealedRecord.seal(
                    record, as: name, handle: handle, with: secret, salt: random.bytes(32), replacing: replaced)
                return (.replace(blob), replaced == current)
            }
            guard let keepsOld else { continue }
            await watch.read(name, in: self)
            if let oldHandle, oldHandle != handle, !keepsOld { try await deviceKeys.delete(handle: oldHandle) }
            return
        }
        throw OrchestrationError(.storeBusy)
    }

    /// Changes a record under the lock of the store, in one atomic, durable write. Without a change nothing is written.
    ///
    /// - Parameter body: A closure that receives the current record. When it throws, nothing is written. It may be
    ///   called again when the record was replaced meanwhile.
    /// - Throws: `userUnknown` when there is no record; the errors of the store and of the closure.
    package func update<R: Sendable>(
        _ account: AccountName, _ body: @Sendable (inout UserRecord) throws -> R
    ) async throws -> R {
        try await update(account, expecting: nil, body).result
    }

    /// Changes a record whose device key the caller has already, as ``update(_:_:)`` does.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - expected: The device key that the record probably still has.
    ///   - body: A closure that receives the current record.
    /// - Returns: The result of the closure, and the device key of the record that it received.
    package func update<R: Sendable>(
        _ account: AccountName, expecting expected: (any DeviceKey)?, _ body: @Sendable (inout UserRecord) throws -> R
    ) async throws -> (result: R, key: any DeviceKey) {
        if let expected, let done = try await update(account, sealedBy: expected, body) { return (done, expected) }
        // The device key is fetched before the lock is taken, because fetching it may wait. A record that has another
        // key by then was activated again meanwhile. Three such activations in a row are not a coincidence.
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
        let done = try await store.update(name) { current -> (StoreChange, (result: R, replaced: [UInt8]?)?) in
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
            if record.state == .active { record.replacedDevice = nil }
            after = record.encoded
            guard after != before else { return (.keep, (result, nil)) }
            let isReplacing = record.state != .active
            let blob = try SealedRecord.seal(
                record, as: name, handle: handle, with: secret, salt: random.bytes(32),
                replacing: isReplacing ? sealed.replaced : nil)
            return (.replace(blob), (result, isReplacing ? nil : sealed.replaced))
        }
        await watch.read(name, in: self)
        // The key provider deletes a key that no record names at its next start.
        if let replaced = done?.replaced, let handle = try? SealedRecord(decoding: replaced).handle {
            try? await deviceKeys.delete(handle: handle)
        }
        return done?.result
    }

    /// The records of a store, and the names whose records cannot be read.
    package struct Contents: Sendable {
        /// The records of this tenant, sorted by account, each with its name in the store.
        package var records: [(name: StoreName, record: UserRecord)] = []

        /// The errors of the records that cannot be read, by name. The tenant of such a record is not known.
        package var failures: [StoreName: OrchestrationError] = [:]
    }

    /// Reads every record. One that cannot be read does not hide the others.
    ///
    /// - Throws: The errors of the store when it cannot list its names; `CancellationError`.
    package func contents() async throws -> Contents {
        var contents = Contents()
        for name in try await store.names() where name.text.hasPrefix(Self.prefix) {
            do {
                guard let bytes = try await store.read(name) else { continue }
                let sealed = try SealedRecord(decoding: bytes)
                let key = try await deviceKeys.key(handle: sealed.handle)
                let record = try sealed.open(as: name, with: await key.secret(.storage), allowedCosts: allowedCosts)
                if record.tenant == tenant { contents.records.append((name, record)) }
            } catch let error as OrchestrationError {
                contents.failures[name] = error
            } catch  where !(error is CancellationError) {
                contents.failures[name] = OrchestrationError(.unexpected, underlying: error)
            }
        }
        contents.records.sort { $0.record.account.text < $1.record.account.text }
        return contents
    }

    /// Removes an account with its device key, regardless of the state of its record. A missing record is not an error.
    package func delete(_ account: AccountName) async throws {
        try await delete(name(for: account))
    }

    /// Removes an account with its device key if its record belongs to a device. Other records stay.
    ///
    /// - Parameter restoringReplaced: Whether the locked record that this one would have replaced is restored.
    /// - Returns: Whether the locked record was restored.
    @discardableResult package func delete(
        _ account: AccountName, ofDevice deviceID: [UInt8], restoringReplaced: Bool = false
    ) async throws -> Bool {
        guard let (record, key) = try await open(account), record.deviceID == deviceID else { return false }
        let handle = key.handle
        // A device never changes its key. Under the lock, an equal handle proves that no activation happened meanwhile.
        let (unused, isRestored) = try await store.update(name(for: account)) {
            current -> (StoreChange, ([[UInt8]], Bool)) in
            guard let sealed = try current.map({ try SealedRecord(decoding: $0) }), sealed.handle == handle
            else { return (.keep, ([], false)) }
            if restoringReplaced, let replaced = sealed.replaced { return (.replace(replaced), ([handle], true)) }
            return (.delete, (try sealed.handles, false))
        }
        await watch.read(name(for: account), in: self)
        for handle in unused { try await deviceKeys.delete(handle: handle) }
        return isRestored
    }

    /// Removes a record by its name, with its device key where the handle can be read.
    package func delete(_ name: StoreName) async throws {
        let handles = try await store.update(name) { current in
            (.delete, current.flatMap { try? SealedRecord(decoding: $0).handles } ?? [])
        }
        await watch.read(name, in: self)
        for handle in handles { try await deviceKeys.delete(handle: handle) }
    }

    /// The prefix of record names.
    static let prefix = "user-"
}
