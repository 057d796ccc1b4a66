internal import Logging
internal import Primitives

extension Platform {
    /// Returns the master key that the store needs.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`, `alteredRow`; `CancellationError`.
    public func masterKeyReport() async throws -> MasterKeyReport {
        MasterKeyReport(id: try await read { try $0.presentState().masterKeyID })
    }

    /// Replaces the master key, while the platform serves.
    ///
    /// One transaction wraps the keys of the rows by the new key, which a start of the platform needs from then on.
    /// The rows stay as they are. So does what a thief of the store and of the earlier key knows: see the article
    /// "Replacing the master key". A backup from before the replacement needs the earlier key.
    ///
    /// Store the new key before, where the next start finds it: it may be the earlier key that the store needs, or the
    /// new one, if the call is interrupted.
    ///
    /// - Parameter key: The new master key.
    /// - Returns: Whether the key was replaced; false when it is the present one already.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for another key with the id of the present one, `alteredRow`,
    ///   `storeFailed`; `CancellationError`. After `storeFailed`, call it again: the key may have been replaced.
    public func replaceMasterKey(with key: MasterKey) async throws -> Bool {
        let now = time.now()
        let tenant = configuration.tenant
        let wrapped = try await PlatformError.mapping { [dataKeys, random] in
            try dataKeys.wrapped(by: key, tenant: tenant, random: random)
        }
        let earlier = try await retryingConflicts {
            try await writeAsPlatform { store -> String? in
                var state = try store.presentState()
                let earlier = state.masterKeyID
                guard earlier != key.id else { return nil }
                (state.masterKeyID, state.dataKeys) = (key.id, wrapped)
                try requireWritten(store.update(state))
                try store.append(AuditEntry(time: now, event: .masterKeyReplaced, reason: "\(earlier)>\(key.id)"))
                return earlier
            }
        }
        let state = try await read { try $0.presentState() }
        _ = try DataKeys(state, tenant: tenant, masterKeys: [key])
        guard let earlier else { return false }
        logger.notice(
            "the master key was replaced", metadata: ["key.id": "\(key.id)", "key.previous": "\(earlier)"])
        return true
    }
}
