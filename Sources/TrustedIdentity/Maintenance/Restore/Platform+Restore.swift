internal import Primitives

/// The revocations between a backup and its restore, where there is no exported audit log.
public enum Revocations: Sendable, Hashable {
    /// They are not known.
    ///
    /// Every device, API key and static password that was made before the restore is suspended, until an exported
    /// audit log is applied, or an administrator lifts all suspensions: ``Platform/liftSuspensions()``.
    case unknown
    /// There were none. This is a statement of an administrator, and the audit log names it.
    case nothingRevoked
}

extension Platform {
    /// Marks the store as restored from a backup. Call it once, before the platform serves requests again.
    ///
    /// Until a device that was made before has synchronized, its codes are refused and not counted. Requests that
    /// devices made before the restore are refused. The call writes one row and no row for each device. It begins a new
    /// audit log, which has the entries of the backup, under another name.
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

    /// Lifts the suspension of all devices, API keys and static passwords. What must stay suspended is revoked before.
    ///
    /// A lifted device has to synchronize before its typed codes are accepted. A locked device stays locked. Failures
    /// of static passwords that were counted meanwhile stay: ``liftBlocks(of:)`` ends them. Where nothing is suspended,
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

    /// Applies an exported audit log after a restore: what was revoked after the backup is revoked again, and nothing
    /// else is suspended.
    ///
    /// Call it once, before the platform serves requests again, instead of ``markRestored(revocations:)``; or later,
    /// to lift what that call suspended. What was made after the restore stays as it is. The log says which it is: one
    /// that goes on where the log of the store ends belongs to a new restore, and one that parts from the log of the
    /// store at its latest restore belongs to that one.
    ///
    /// The file is read to its end and verified before anything is changed. Then everything is suspended, the
    /// revocations are applied in parts, and the suspension is lifted. After a failure in between, call it again with
    /// the same file.
    ///
    /// - Parameter file: The bytes of an ``AuditExport``, in chunks of any length. An export that was made after the
    ///   backup knows the revocations up to its own time; revoke later ones again by hand.
    /// - Returns: What was revoked again.
    /// - Throws: ``AuditFileError``; ``PlatformError`` with `alteredRow`, `storeFailed`, or `busy` when the platform
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

    /// The number of revocations that one transaction applies, so that it stays short.
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
    /// Removes the events that waited in the backup. They may have been delivered after it was made, and the receiver
    /// may no longer remember their ids. The event about the restore follows in their place.
    fileprivate func removeEventsOfBackup() throws { _ = try removeEvents(of: nil, limit: .max) }

    /// Counts the epoch of the platform up.
    ///
    /// - Parameters:
    ///   - sequence: The last entry of the audit log that the store has in common with its earlier life.
    ///   - suspends: Whether what was made before is suspended.
    fileprivate func beginEpoch(after sequence: Int64, suspends: Bool, now: Timestamp) throws {
        var state = try currentState()
        // Which rows are revoked now is what the administrator states, or what is suspended.
        if let authenticator = check.authenticator { state.revocations = try revocations(authenticator) }
        state.restoredAt = now
        state.epoch += 1
        state.restoredSequence = sequence
        state.suspendedBelowBefore = state.suspendedBelow
        if suspends { state.suspendedBelow = state.epoch }
        try requireWritten(update(state))
    }
}
