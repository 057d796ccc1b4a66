internal import Primitives

/// An exported audit log that was verified and compared with the log of a restored store.
struct RestoredLog: Sendable {
    /// The sequence number of the last entry that both logs have in common; 0 if the store's was empty.
    let common: Int64
    /// The entries after it that revoke, lock, replace or remove something, the earliest first.
    let revocations: [AuditEntry]
    /// Whether the store was marked as restored before: the logs part at its latest restore.
    let isLater: Bool
    /// The version of the row about the platform as it was read.
    let stateVersion: Int64

    /// Reads a file to its end.
    ///
    /// - Throws: ``AuditFileError``; ``PlatformError``; the errors of the file.
    init<File: AsyncSequence>(reading file: File, of platform: Platform) async throws where File.Element == [UInt8] {
        var reader = AuditFileReader(tenant: platform.configuration.tenant, masterKeys: platform.ring.known)
        let pruned = try await platform.read { try $0.presentState().prunedAudit?.size ?? 0 }
        var comparison = LogComparison(platform: platform, pruned: pruned)
        for try await chunk in file {
            for entry in try reader.read(chunk) { try await comparison.compare(entry) }
        }
        let summary = try reader.finish()
        let (parted, fromOne) = (comparison.common, summary.first == 1)
        let (state, found, isAtRestore) = try await platform.read { store in
            let state = try store.presentState()
            let ownLast = try store.auditEntries(of: nil, before: nil, limit: 1).first?.sequence ?? 0
            let end = state.epoch > 0 ? state.restoredSequence : ownLast
            // A log that is empty so far has everything in common with one that starts at 1. What was pruned was not
            // compared.
            let isEmpty = try fromOne && pruned == 0 && store.replacesChangeKeyOnly(after: 0, through: end)
            let common = parted ?? (isEmpty ? 0 : nil)
            return (state, common, try common.map { try store.replacesChangeKeyOnly(after: $0, through: end) } ?? false)
        }
        guard !comparison.isOfOtherSubjects else { throw AuditFileError(.otherSubjects) }
        guard let common = found, summary.last > common else { throw AuditFileError(.notCovering) }
        isLater = state.epoch > 0 && isAtRestore
        // A log that parts from that of the store before its latest restore says nothing about the time before that
        // one.
        guard isLater || state.epoch == 0 || common > state.restoredSequence else { throw AuditFileError(.notCovering) }
        self.common = common
        revocations = comparison.revocations
        stateVersion = state.version
    }
}

extension StoreReader {
    /// Returns whether each entry of a part of the log is the replacement of the change key; true for an empty part.
    ///
    /// A backup from before a replacement takes the present change key before it can be opened and marked as restored.
    /// That entry lies between the last entry of the backup and the restore, and revokes nothing.
    fileprivate func replacesChangeKeyOnly(after common: Int64, through end: Int64) throws -> Bool {
        var next = common
        while next < end {
            // An entry that was deleted could be any event.
            guard let entry = try auditEntries(from: next + 1, limit: 1).first, entry.sequence == next + 1,
                entry.event == .changeKeyReplaced
            else { return false }
            next = entry.sequence
        }
        return common <= end
    }
}

/// The comparison of a log with that of the store, entry by entry.
private struct LogComparison {
    private static let page = 500
    private static let events: Set<AuditEvent> = [
        .deviceRevoked, .deviceLocked, .apiKeyRevoked, .staticPasswordEnded, .unregistered,
    ]

    private let platform: Platform
    /// The number of entries that were pruned from the store. They are not compared: those after them are, and belong
    /// to one log only when these do.
    private let pruned: Int64
    /// The entries of the store from the next one on.
    private var own: ArraySlice<AuditEntry> = []
    private var hasParted = false
    /// The last entry that both have.
    private(set) var common: Int64?
    private(set) var revocations: [AuditEntry] = []
    /// Whether an entry that both have names an account by its subject.
    private var hasCommonSubject = false
    /// Whether the last entry that both have is of a version without subjects, whose accounts got theirs in an upgrade.
    private var isFromBeforeSubjects = false
    /// Whether the logs parted at an entry whose only difference is the subject.
    private var differsInSubject = false

    /// Whether the subjects of the file are not those of the store, or may not be: then nothing says which accounts of
    /// the store the file names.
    ///
    /// The upgrade draws the subjects of earlier accounts at random. A backup from before it, restored, gets others
    /// than the platform had that wrote the file.
    var isOfOtherSubjects: Bool {
        differsInSubject
            || isFromBeforeSubjects && !hasCommonSubject
                && revocations.contains { $0.subject != nil && $0.device == nil }
    }

    init(platform: Platform, pruned: Int64) {
        self.platform = platform
        self.pruned = pruned
    }

    mutating func compare(_ entry: AuditEntry) async throws {
        guard entry.sequence > pruned else { return }
        if !hasParted, let own = try await nextOwn(entry.sequence) {
            if entry.isSame(as: own) {
                common = entry.sequence
                hasCommonSubject = hasCommonSubject || entry.subject != nil
                isFromBeforeSubjects = own.actor == nil
                return
            }
            var other = own
            other.subject = entry.subject
            differsInSubject = own.subject != nil && entry.subject != nil && entry.isSame(as: other)
        }
        hasParted = true
        if Self.events.contains(entry.event) { revocations.append(entry) }
    }

    private mutating func nextOwn(_ sequence: Int64) async throws -> AuditEntry? {
        if own.isEmpty {
            own = try await platform.read { try $0.auditEntries(from: sequence, limit: Self.page)[...] }
        }
        return own.popFirst()
    }
}

extension AuditEntry {
    /// Returns whether an entry of a file is an entry of the store.
    ///
    /// The name of the account is not compared: it is that of the time of the export. A file of version 1 has names and
    /// no subjects, and the name of an account that was removed from the store is not known.
    fileprivate func isSame(as own: AuditEntry) -> Bool {
        var (file, own) = (self, own)
        if subject == nil, let name = account {
            guard own.subject != nil, own.account == nil || own.account == name else { return false }
            own.subject = nil
        }
        file.account = nil
        own.account = nil
        return file == own
    }
}
