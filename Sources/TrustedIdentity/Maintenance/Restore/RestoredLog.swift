internal import Primitives

/// An exported audit log that was verified and compared with the log of a restored store.
struct RestoredLog: Sendable {
    /// The sequence number of the last entry that both logs have in common; 0 if the store's log was empty.
    let common: Int64
    /// The later entries that revoke, lock, replace or remove something, the earliest first.
    let revocations: [AuditEntry]
    /// Whether the store was marked as restored before: the logs diverge at its latest restore.
    let isLater: Bool
    /// The version of the row about the platform as it was read.
    let state: RestoredState

    /// Reads a file to its end.
    ///
    /// - Throws: ``AuditError``; ``PlatformError``; the errors of the file.
    init<File: AsyncSequence>(reading file: File, of platform: Platform) async throws where File.Element == [UInt8] {
        try await platform.numberArrivals()
        var reader = AuditFileReader(tenant: platform.configuration.tenant, keys: platform.dataKeys)
        let pruned = try await platform.read { try $0.currentState().prunedAudit?.size ?? 0 }
        var comparison = LogComparison(platform: platform, pruned: pruned)
        for try await chunk in file {
            for entry in try reader.read(chunk) { try await comparison.compare(entry) }
        }
        let summary = try reader.finish()
        let (parted, fromOne) = (comparison.common, summary.first == 1)
        let (state, found, isAtRestore) = try await platform.read { store in
            let state = try store.currentState()
            let ownLast = try store.auditEntries(of: nil, before: nil, limit: 1).first?.sequence ?? 0
            let end = state.epoch > 0 ? state.restoredSequence : ownLast
            // A log that is empty so far has everything in common with a log that starts at 1. Pruned entries were not
            // compared.
            let common = parted ?? (fromOne && pruned == 0 && end == 0 ? 0 : nil)
            return (state, common, common == end)
        }
        guard let common = found, summary.last > common else { throw AuditError(.notCovering) }
        isLater = state.epoch > 0 && isAtRestore
        // A log that diverges from the store's log before its latest restore contains nothing about the time before
        // that restore.
        guard isLater || state.epoch == 0 || common > state.restoredSequence else { throw AuditError(.notCovering) }
        self.common = common
        revocations = comparison.revocations
        self.state = RestoredState(state)
    }
}

/// The fields of the row about the platform that the application of a log depends on.
struct RestoredState: Sendable, Hashable {
    private let suspension: Suspension
    private let restoredSequence: Int64
    private let prunedAudit: PrunedAudit?

    init(_ state: PlatformStateRecord) {
        suspension = state.suspension
        restoredSequence = state.restoredSequence
        prunedAudit = state.prunedAudit
    }
}

/// The comparison of a log with the store's log, entry by entry.
private struct LogComparison {
    private static let page = 500
    private static let events: Set<AuditEvent> = [
        .deviceRevoked, .deviceLocked, .apiKeyRevoked, .staticPasswordEnded, .unregistered,
    ]

    private let platform: Platform
    /// The number of entries that were pruned from the store. They are not compared. The entries after them are
    /// compared, and belong to one log only if the pruned entries do.
    private let pruned: Int64
    /// The store's entries, starting with the next one.
    private var own: ArraySlice<AuditEntry> = []
    private var hasParted = false
    /// The last entry that both contain.
    private(set) var common: Int64?
    private(set) var revocations: [AuditEntry] = []
    init(platform: Platform, pruned: Int64) {
        self.platform = platform
        self.pruned = pruned
    }

    mutating func compare(_ entry: AuditEntry) async throws {
        guard entry.sequence > pruned else { return }
        if !hasParted, let own = try await nextOwn(entry.sequence) {
            if entry.isSame(as: own) {
                common = entry.sequence
                return
            }
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
    /// The name of the account is not compared: it is the name at the time of the export.
    fileprivate func isSame(as own: AuditEntry) -> Bool {
        var (file, own) = (self, own)
        file.account = nil
        own.account = nil
        return file == own
    }
}
