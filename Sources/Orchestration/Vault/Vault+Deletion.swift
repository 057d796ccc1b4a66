package import Primitives

extension Vault {
    /// Removes an account with its device key, in whatever state its record is. One that is not there is no error.
    package func delete(_ account: AccountName) async throws {
        try await delete(name(for: account))
    }

    /// Removes an account with its device key if it still is this device. Another activation that has taken its place
    /// stays.
    package func delete(_ account: AccountName, ofDevice deviceID: [UInt8]) async throws {
        guard let (record, key) = try await open(account), record.deviceID == deviceID else { return }
        let handle = key.handle
        // A device has one key for life, so under the lock the handle tells that nothing was activated in between.
        let isGone = try await store.update(name(for: account)) { current -> (StoreChange, Bool) in
            guard let current, try SealedRecord(decoding: current).handle == handle else { return (.keep, false) }
            return (.delete, true)
        }
        if isGone { try await deviceKeys.delete(handle: handle) }
    }

    /// Removes a record that cannot be opened any more, by the name that ``contents()`` gave.
    package func delete(_ name: StoreName) async throws {
        let handle = try await store.update(name) { current in
            (.delete, current.flatMap { try? SealedRecord(decoding: $0).handle })
        }
        if let handle { try await deviceKeys.delete(handle: handle) }
    }
}
