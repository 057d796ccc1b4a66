internal import Logging
public import Primitives

/// The entries of a file of pruned entries: a part of the audit log.
public struct AuditPart: Sendable, Hashable {
    /// The number of the first entry.
    public var first: Int64
    /// The number of the last entry.
    public var last: Int64
    /// The root of the tree over all entries of the log through the last one, 32 bytes.
    public var root: [UInt8]

    /// Creates the description of a part.
    public init(first: Int64, last: Int64, root: [UInt8]) {
        self.first = first
        self.last = last
        self.root = root
    }
}

// Entries are pruned in three calls: exportAudit(before:), whose bytes the caller writes to a file, syncs and verifies
// with a PrunedAuditFile; pruneAudit(_:before:), which decides in one transaction; and removePrunedRows(), which a
// Maintenance also calls.
extension Platform {
    /// The number of rows of the audit log that one transaction removes. Logins share it.
    static let pruningBatch = 100
    /// The number of transactions of one call.
    private static let pruningBatches = 50

    /// Exports the audit log entries before a time, to prune them.
    ///
    /// The whole log is verified first. Nothing is written to the store, except that remaining rows of a previous
    /// pruning are removed. The last line of the export contains a checkpoint at its last entry.
    ///
    /// - Parameter time: The export ends before the first entry that is not earlier, and before the last entry of the
    ///   log.
    /// - Returns: The export. Its bytes are read from the store while they are iterated. Verify the file with a
    ///   ``PrunedAuditFile`` before ``pruneAudit(_:before:)``.
    /// - Throws: ``AuditError``; ``PlatformError`` with `alteredRow`, `storeFailed`; `CancellationError`.
    public func exportAudit(before time: Timestamp) async throws -> AuditExport {
        while try await removePrunedRows() != nil {}
        let plan = try await pruningPlan(before: time)
        guard plan.last >= plan.first else { throw AuditError(.nothingToPrune) }
        let key = keys.auditKey(at: self.time.now())
        let text = CheckpointText(origin: try await logOrigin(), size: plan.last, root: plan.root)
        let checkpoint = try await PlatformError.mapping { try key.sign(text) }
        return AuditExport(
            platform: self, range: plan.first...plan.last,
            pruning: .init(checkpoint: checkpoint.note, peaks: plan.pruned.peaks))
    }

    /// Prunes the entries that a file contains. When this method returns, they no longer belong to the log.
    ///
    /// The whole log is verified first. ``removePrunedRows()`` then removes the rows. You can repeat the call with the
    /// same time, after it was interrupted and after it has ended.
    ///
    /// - Parameters:
    ///   - part: The content of the file: ``PrunedAuditFile/part``. Its root must equal the log's root.
    ///   - time: The time of ``exportAudit(before:)``. Entries that were appended since then stay, including entries
    ///     before the time.
    /// - Returns: Whether the entries were pruned by this call, and not earlier.
    /// - Throws: ``AuditError``, with `otherPart` when the part is neither the one that was pruned last nor the
    ///   next one before the time; ``PlatformError`` with `alteredRow`, `storeFailed`; `CancellationError`.
    @discardableResult
    public func pruneAudit(_ part: AuditPart, before time: Timestamp) async throws -> Bool {
        let pruned = try await read { try $0.currentState().prunedAudit }
        if let pruned, pruned.size == part.last, pruned.root == part.root {
            if pruned.hasRows { return false }
            let plan = try await pruningPlan(before: time)
            let next = try await read { try $0.auditEntries(from: part.last + 1, limit: 2) }
            // Entries before the time that are not in the file are refused. The first entry after the part is an
            // exception: it was the last entry of the log, which always stays. Each later entry was appended after the
            // time.
            guard plan.last < plan.first || next.last.map({ $0.time >= time }) ?? true else {
                throw AuditError(.otherPart)
            }
            return false
        }
        let plan = try await pruningPlan(before: time, through: part.last)
        guard plan.first == part.first, plan.last == part.last, plan.root == part.root, part.last >= part.first else {
            throw AuditError(.otherPart)
        }
        let now = self.time.now()
        try await write { [peaks = plan.peaks] store in
            var state = try store.currentState()
            // Another call may have pruned the part since the plan was made.
            guard (state.prunedAudit?.size ?? 0) == part.first - 1 else { throw AuditError(.otherPart) }
            state.prunedAudit = PrunedAudit(size: part.last, peaks: peaks, hasRows: true)
            try requireWritten(store.update(state))
            try store.append(AuditEntry(time: now, event: .auditPruned, reason: "\(part.last)"))
        }
        logger.notice("entries of the audit log were pruned", metadata: ["audit.pruned": "\(part.last)"])
        return true
    }

    /// Removes rows of entries that were pruned, up to 5,000 of them, 100 in a transaction.
    ///
    /// - Returns: The number of rows that are still to be removed; `nil` when all of them are.
    /// - Throws: ``PlatformError`` with `alteredRow`, `storeFailed`; `CancellationError`.
    public func removePrunedRows() async throws -> Int64? {
        // The maintenance writes nothing when there is nothing to do.
        guard try await read({ try $0.currentState().prunedAudit?.hasRows ?? false }) else { return nil }
        var left: Int64? = 0
        for _ in 0..<Self.pruningBatches where left != nil {
            try Task.checkCancellation()
            left = try await writeAsPlatform { store in
                var state = try store.currentState()
                guard let pruned = state.prunedAudit else { return nil }
                let removed = try store.removePrunedAudit(through: pruned.size, limit: Self.pruningBatch)
                guard removed < Self.pruningBatch else {
                    let next = try store.auditRows(from: 1, limit: 1).first?.sequence ?? pruned.size + 1
                    return max(0, pruned.size + 1 - next)
                }
                state.prunedAudit?.hasRows = false
                try requireWritten(store.update(state))
                return nil
            }
        }
        return left
    }

    /// Verifies the log, and finds the entries that a pruning before a time takes.
    ///
    /// - Parameter through: The number of the last entry that it may take.
    private func pruningPlan(before time: Timestamp, through: Int64 = .max) async throws -> PruningPlan {
        guard time <= self.time.now() else { throw AuditError(.futureTime) }
        let checkpoint: AuditCheckpoint
        do {
            checkpoint = try await auditCheckpoint()
        } catch let error as PlatformError where error.code == .alteredRow {
            throw AuditError(.changedLog)
        }
        // The rows are read after the checkpoints, which means the log has at least the size of each.
        let kept = try await keptCheckpoints()
        let leaf = AuditLeaf(tenant: configuration.tenant)
        var plan = try await walkAudit { pruned in
            PruningPlan(
                pruned, before: time, last: min(through, checkpoint.size - 1),
                check: AuditCheck(leaf: leaf, checkpoints: kept.checkpoints + [checkpoint], pruned: pruned))
        } visit: { plan, entry in
            plan.visit(entry)
        }
        guard plan.isVerified(changed: kept.changed) else { throw AuditError(.changedLog) }
        return plan
    }
}

/// The entries that a pruning takes, found while the log is verified.
private struct PruningPlan {
    /// The number of the first entry.
    let first: Int64
    /// The number of the last entry; less than the number of the first entry if there are none.
    private(set) var last: Int64
    /// The roots of the largest complete subtrees through the last entry, the smallest first.
    private(set) var peaks: [[UInt8]]
    /// The part before the first entry.
    let pruned: PrunedAudit

    private let time: Timestamp
    private let limit: Int64
    private var isOpen = true
    private var check: AuditCheck

    /// The root of the tree through the last entry.
    var root: [UInt8] { MerkleTree.root(ofPeaks: peaks) }

    /// - Parameters:
    ///   - limit: The number of the last entry that may be taken. The last one of the log always stays.
    ///   - check: The comparison of the log with the checkpoints that the platform keeps.
    init(_ pruned: PrunedAudit, before time: Timestamp, last limit: Int64, check: AuditCheck) {
        (first, last, peaks) = (pruned.size + 1, pruned.size, pruned.peaks)
        (self.pruned, self.time, self.limit, self.check) = (pruned, time, limit, check)
    }

    mutating func visit(_ entry: AuditEntry) {
        if isOpen, entry.time >= time || entry.sequence > limit {
            isOpen = false
            (last, peaks) = (check.last, check.tree?.peaks ?? [])
        }
        check.check(entry)
    }

    /// Returns whether the whole log is as the platform has written it, after the last row.
    ///
    /// - Parameter changed: The sizes of checkpoints that the platform keeps and whose rows were changed.
    mutating func isVerified(changed: [Int64]) -> Bool {
        check.finish(changed: changed)
        return check.result.findingCount == 0
    }
}
