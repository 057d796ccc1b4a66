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
    /// the hashes of API keys, sources, browsers and creditors, those of earlier seals of the audit log, and the change
    /// key of a platform that was opened without one. A backup from before the replacement needs the earlier master
    /// key.
    ///
    /// - Parameter key: The new master key, which the caller has stored before.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a key that the store has had before, under this id or
    ///   another one; `storeFailed`, and then nothing was changed; `CancellationError`.
    public func replaceMasterKey(with key: MasterKey) async throws -> MasterKeyReplacement {
        let before = ring.present
        let earlier = before.current.key
        guard key.id != earlier.id else { return .unnecessary }
        guard before.previous == nil else { return .underWay }
        let secret = key.rowAuthenticationKey
        guard secret != earlier.rowAuthenticationKey,
            !before.seals.contains(where: { $0.keyID == key.id || $0.secret == secret })
        else { throw PlatformError(.malformedRequest) }

        var keys = MasterKeyRing.Keys(current: .init(key), previous: before.current, seals: before.seals)
        let sealer = RowSealer(
            tenant: configuration.tenant, ring: MasterKeyRing(keys, known: [key]), random: random)
        let decoys = try await PlatformError.mapping { try Decoys(sealer: sealer, random: random) }
        let retainedChangeKey = isChangeKeyDerived ? changeKey : retained?.changeKey
        let now = time.now()
        let seals = try await retryingConflicts {
            try await store.writeAlone { [hashes, authenticator = store.authenticator] store -> [EarlierSealKey]? in
                var state = try store.presentState()
                guard state.previousMasterKeyID == nil, state.masterKeyID ?? earlier.id == earlier.id else {
                    // Another call was faster, or the commit of an earlier one was reported as a failure.
                    guard state.masterKeyID == key.id, state.previousMasterKeyID == earlier.id else { return nil }
                    return try state.retainedKeys.map { try RetainedKeys($0, sealer: sealer).seals }
                }
                // The entry is the last one of the earlier key.
                try store.append(
                    AuditEntry(time: now, event: .masterKeyReplacementBegun, reason: "\(earlier.id)>\(key.id)"))
                let sealKey = EarlierSealKey(
                    keyID: earlier.id, last: try store.auditEdge().first?.sequence ?? 0,
                    root: try store.auditRoot(authenticator)?.root ?? [], secret: earlier.rowAuthenticationKey)
                state.previousMasterKeyID = earlier.id
                state.masterKeyID = key.id
                let retained = RetainedKeys(
                    hashes: hashes, changeKey: retainedChangeKey, seals: before.seals + [sealKey])
                state.retainedKeys = try retained.sealed(by: sealer)
                try requireWritten(store.update(state))
                return retained.seals
            } finish: { seals in
                guard let seals else { return }
                keys.seals = seals
                renewal.begin(uptime: time.uptime())
                // The ring is replaced first: the new decoys are sealed under the new key, and a login may open them at
                // once.
                ring.replace(by: keys)
                decoyBox.replace(by: decoys)
            } orFound: { store in
                guard let state = try store.platformState(), state.masterKeyID == key.id,
                    state.previousMasterKeyID == earlier.id
                else { return nil }
                return try state.retainedKeys.map { try RetainedKeys($0, sealer: sealer).seals }
            }
        }
        guard case .some(.some) = seals else { return .underWay }
        logger.notice(
            "the replacement of the master key has begun",
            metadata: ["key.id": "\(key.id)", "key.previous": "\(earlier.id)"])
        return .begun
    }
}
