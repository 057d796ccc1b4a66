internal import Logging
internal import Primitives

extension Platform {
    /// The master keys of the store, and how far a replacement is.
    public var masterKeyReport: MasterKeyReport {
        let keys = ring.present
        let progress = renewal.progress
        let isReplacing = keys.previous != nil && !progress.hasEnded
        return MasterKeyReport(
            id: keys.current.key.id, previousID: isReplacing ? keys.previous?.key.id : nil,
            checkedRows: progress.checked, renewedRows: progress.renewed)
    }

    /// Begins to replace the master key, while the platform serves.
    ///
    /// From the return of this method on, everything is sealed and authenticated under the new key, and a start of the
    /// platform needs both keys. ``Maintenance`` then seals and authenticates all rows again, at most 1,000 a second,
    /// and ends the replacement, at least a minute after its beginning. From then on a start needs the new key only.
    ///
    /// Each process that has a platform open on the store must get both keys, in
    /// ``init(configuration:store:masterKey:otherMasterKeys:changeKey:gateways:events:time:random:logger:)``, before
    /// this method is called; there may be one such process with a platform that writes.
    ///
    /// Keys that were derived from the first master key and cannot be replaced stay, sealed under the new one: those of
    /// the hashes of API keys, sources, browsers and creditors, and the change
    /// key of a platform that was opened without one. A backup from before the replacement needs the earlier master
    /// key.
    ///
    /// - Parameter key: The new master key, which the caller has stored before.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a key whose id the store has had before, and for the
    ///   key that it has under another id; `storeFailed`; `CancellationError`. After `storeFailed`, call it again: the
    ///   replacement may have begun.
    public func replaceMasterKey(with key: MasterKey) async throws -> MasterKeyReplacement {
        let before = ring.present
        let earlier = before.current.key
        guard key.id != earlier.id else { return .unnecessary }
        guard before.previous == nil else { return .underWay }
        guard key.rowAuthenticationKey != earlier.rowAuthenticationKey else { throw PlatformError(.malformedRequest) }

        let keys = MasterKeyRing.Keys(current: .init(key), previous: before.current)
        let newSealer = RowSealer(
            tenant: configuration.tenant, ring: MasterKeyRing(keys, known: [key]), random: random)
        let decoys = try await PlatformError.mapping { try Decoys(sealer: newSealer, random: random) }
        let retainedChangeKey = isChangeKeyDerived ? changeKey : retained?.changeKey
        let now = time.now()
        let hasBegun = try await retryingConflicts {
            try await writeAsPlatform { [hashes, sealer = self.sealer] store -> Bool in
                var state = try store.presentState()
                guard state.previousMasterKeyID == nil, state.masterKeyID ?? earlier.id == earlier.id else {
                    // Another call was faster, or the commit of an earlier one was reported as a failure.
                    return state.masterKeyID == key.id && state.previousMasterKeyID == earlier.id
                }
                let earlierIDs = try state.retainedKeys.map { try RetainedKeys($0, sealer: sealer).earlierIDs } ?? []
                guard !earlierIDs.contains(key.id) else { throw PlatformError(.malformedRequest) }
                try store.append(
                    AuditEntry(time: now, event: .masterKeyReplacementBegun, reason: "\(earlier.id)>\(key.id)"))
                state.previousMasterKeyID = earlier.id
                state.masterKeyID = key.id
                state.retainedKeys = try RetainedKeys(
                    hashes: hashes, changeKey: retainedChangeKey, earlierIDs: earlierIDs + [earlier.id]
                ).sealed(by: newSealer)
                try requireWritten(store.update(state))
                return true
            }
        }
        guard hasBegun else { return .underWay }
        renewal.begin(uptime: time.uptime())
        // The ring is replaced first: the new decoys are sealed under the new key, and a login may open them at once.
        ring.replace(by: keys)
        decoyBox.replace(by: decoys)
        logger.notice(
            "the replacement of the master key has begun",
            metadata: ["key.id": "\(key.id)", "key.previous": "\(earlier.id)"])
        return .begun
    }
}
