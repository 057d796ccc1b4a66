internal import Primitives

/// The revocations between a backup and its restore, if there is no exported audit log.
public enum Revocations: Sendable, Hashable {
    /// They are not known.
    ///
    /// Every device, API key and static password that was made before the restore is suspended, until an exported
    /// audit log is applied, or an administrator lifts all suspensions: ``Platform/liftSuspensions()``.
    case unknown
    /// There were none. An administrator states this, and the audit log records it.
    case nothingRevoked
}

extension Platform {
    /// Marks the store as restored from a backup. Call it once, before the platform serves requests again.
    ///
    /// The codes of a device that was made before the restore are refused and not counted until the device has
    /// synchronized. Requests that devices made before the restore are refused. The call writes one row, and not a row
    /// for each device. It begins a new audit log under another name, which contains the entries of the backup.
    ///
    /// - Parameter revocations: The revocations since the backup.
    /// - Throws: ``PlatformError`` with `alteredRow`, also when the audit log ends before its last checkpoint;
    ///   `storeFailed`.
    public func markRestored(revocations: Revocations) async throws {
        let now = time.now()
        try await write { [self] store in
            try store.excludeMaintenance()
            // An entry that got its number later would follow the restore in the log.
            _ = try store.numberArrivals(limit: .max)
            let sequence = try store.auditEntries(of: nil, before: nil, limit: 1).first?.sequence ?? 0
            let continuation = try continuation(of: store, now: now)
            try store.beginEpoch(after: sequence, suspends: revocations == .unknown, now: now)
            try store.append(continuation)
            try store.removeEventsOfBackup()
            let reason = revocations == .unknown ? "revocationsUnknown" : "nothingRevoked"
            try store.append(AuditEntry(time: now, event: .platformRestored, reason: reason))
        }
        watch.changedAll()
    }

    /// Lifts the suspension of all devices, API keys and static passwords. Revoke what must stay suspended before you
    /// call it.
    ///
    /// A lifted device has to synchronize before its typed codes are accepted. A locked device stays locked. Failures
    /// of static passwords that were counted meanwhile stay: ``liftBlocks(of:)`` ends them. If nothing is suspended,
    /// nothing changes.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow`, `storeFailed`.
    public func liftSuspensions() async throws {
        let now = time.now()
        try await write { store in
            var state = try store.currentState()
            guard state.suspendedBelow > 0 else { return }
            (state.suspendedBelow, state.suspendedBelowBefore) = (0, 0)
            try requireWritten(store.update(state))
            try store.append(AuditEntry(time: now, event: .suspensionsLifted))
        }
        watch.changedAll()
    }

    /// Applies an exported audit log after a restore: what was revoked after the backup is revoked again, and the
    /// suspension of this restore is lifted. Suspensions of a previous restore stay.
    ///
    /// Call it once, before the platform serves requests again, instead of ``markRestored(revocations:)``; or later, to
    /// lift the suspensions of that call. Rows that were made after the restore stay as they are. The log determines
    /// the case. A log that continues where the store's log ends belongs to a new restore. A log that diverges from the
    /// store's log at its latest restore belongs to that restore.
    ///
    /// The file is read to its end and verified before anything is changed. Then everything is suspended, the
    /// revocations are applied in parts, and the suspension is lifted. After a failure in between, call it again with
    /// the same file.
    ///
    /// - Parameter file: The bytes of an ``AuditExport``, in chunks of any length. An export that was made after the
    ///   backup contains the revocations up to the time of the export. Revoke later ones again by hand.
    /// - Returns: The numbers of revocations that were applied again.
    /// - Throws: ``AuditError``; ``PlatformError`` with `alteredRow`, `storeFailed`, or `busy` when the platform
    ///   was restored again meanwhile; the errors of the file.
    public func markRestored<File: AsyncSequence>(applying file: File) async throws -> RestoreReport
    where File.Element == [UInt8] {
        let log = try await RestoredLog(reading: file, of: self)
        let epoch = try await begin(log)
        var report = RestoreReport()
        report.isLater = log.isLater
        var rest = log.revocations[...]
        while !rest.isEmpty {
            let (part, now, before) = (Array(rest.prefix(Self.appliedAtOnce)), time.now(), report)
            rest = rest.dropFirst(part.count)
            report = try await write { [sealer] store in
                var application = AuditApplication(epoch: epoch, now: now, sealer: sealer, report: before)
                for entry in part { try application.apply(entry, in: store) }
                return application.report
            }
        }
        let now = time.now()
        try await write { store in
            var state = try store.currentState()
            guard state.epoch == epoch else { throw PlatformError(.busy) }
            state.suspendedBelow = state.suspendedBelowBefore
            try requireWritten(store.update(state))
            try store.append(AuditEntry(time: now, event: .auditApplied))
        }
        watch.changedAll()
        return report
    }

    /// The number of revocations that one transaction applies. It keeps the transaction short.
    private static var appliedAtOnce: Int { 200 }

    /// Suspends everything, unless that was done before.
    ///
    /// - Returns: The current epoch.
    private func begin(_ log: RestoredLog) async throws -> Int64 {
        let now = time.now()
        return try await write { [self] store in
            try store.excludeMaintenance()
            let state = try store.currentState()
            guard RestoredState(state) == log.state else { throw PlatformError(.busy) }
            guard !log.isLater else { return state.epoch }
            _ = try store.numberArrivals(limit: .max)
            let continuation = try continuation(of: store, now: now)
            try store.beginEpoch(after: log.common, suspends: true, now: now)
            try store.append(continuation)
            try store.removeEventsOfBackup()
            try store.append(AuditEntry(time: now, event: .platformRestored, reason: "auditLog"))
            return try store.currentState().epoch
        }
    }
}

extension StoreTransaction {
    /// Removes the events that waited in the backup. They may have been delivered after the backup was made, and the
    /// receiver may no longer remember their ids. The event about the restore replaces them.
    fileprivate func removeEventsOfBackup() throws { _ = try removeEvents(of: nil, limit: .max) }

    /// Increments the platform's epoch.
    ///
    /// - Parameters:
    ///   - sequence: The last audit log entry that the store shares with the log from before the restore.
    ///   - suspends: Whether what was made before is suspended.
    fileprivate func beginEpoch(after sequence: Int64, suspends: Bool, now: Timestamp) throws {
        var state = try currentState()
        // The administrator states which rows are revoked now, or the rows are suspended.
        if let authenticator = check.authenticator { state.revocations = try revocations(authenticator) }
        state.restoredAt = now
        state.epoch += 1
        state.restoredSequence = sequence
        state.suspendedBelowBefore = state.suspendedBelow
        if suspends { state.suspendedBelow = state.epoch }
        try requireWritten(update(state))
    }
}
