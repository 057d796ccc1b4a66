internal import Logging
internal import Primitives
internal import Synchronization

extension Platform {
    /// Returns the master key that the store needs.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`, `alteredRow`; `CancellationError`.
    public func masterKeyReport() async throws -> MasterKeyReport {
        MasterKeyReport(id: try await read { try $0.currentState().masterKeyID })
    }

    /// Replaces the master key, while the platform serves.
    ///
    /// One transaction wraps the data keys with the new key, reads them back, and commits. From then on, the platform
    /// needs the new key to start. The rows stay as they are, and so does the knowledge of a thief who has the store
    /// and the previous key: see the article "Replacing the master key". A backup from before the replacement needs the
    /// previous key.
    ///
    /// Before the call, store the new key where the next start finds it. If the call is interrupted, the store needs
    /// one of the two keys. Other processes that share the store are not ready until they are started with the new key:
    /// see ``Readiness/Part/masterKey``.
    ///
    /// - Parameter key: The new master key.
    /// - Returns: Whether the key was replaced; false when it is the current one already.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for another key with the id of the current one, `alteredRow`,
    ///   `storeFailed`; `CancellationError`. After `storeFailed`, call it again: the key may have been replaced.
    public func replaceMasterKey(with key: MasterKey) async throws -> Bool {
        let now = time.now()
        let tenant = configuration.tenant
        let wrapped = try await PlatformError.mapping { [dataKeys, random] in
            try dataKeys.wrapped(by: key, tenant: tenant, random: random)
        }
        // After a failure, the key may have been replaced.
        masterKeyIDs.insert(key.id)
        let previous = try await retryingConflicts {
            try await writeAsPlatform { [dataKeys] store -> String? in
                var state = try store.currentState()
                let previous = state.masterKeyID
                if previous != key.id {
                    (state.masterKeyID, state.dataKeys) = (key.id, wrapped)
                    try requireWritten(store.update(state))
                    try store.append(
                        AuditEntry(time: now, event: .masterKeyReplaced, reason: "\(previous)>\(key.id)"))
                }
                // Nothing is committed that the key does not open.
                let opened = try DataKeys(store.currentState(), tenant: tenant, masterKeys: [key])
                guard opened.id == dataKeys.id else { throw PlatformError(.wrongMasterKey) }
                return previous == key.id ? nil : previous
            }
        }
        guard let previous else { return false }
        logger.notice(
            "the master key was replaced", metadata: ["key.id": "\(key.id)", "key.previous": "\(previous)"])
        return true
    }
}

/// The ids of the master keys that a running platform was given.
final class MasterKeyIDs: Sendable {
    private let ids: Mutex<Set<String>>

    init(_ ids: [String]) { self.ids = Mutex(Set(ids)) }

    func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }

    func insert(_ id: String) { ids.withLock { _ = $0.insert(id) } }
}
