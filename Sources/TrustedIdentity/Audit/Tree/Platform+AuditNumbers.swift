internal import Logging
internal import Primitives

extension Platform {
    /// The number of entries that one transaction adds to the tree. Logins share it.
    static let auditBatch = 500

    /// Adds the waiting audit log entries to the tree, in the order of their numbers, and signs a checkpoint over each
    /// batch. ``Maintenance`` calls it each minute.
    ///
    /// Appending an entry reads no other entry, and neither waits for the tree nor changes it. A change of an entry
    /// that is not in the tree yet is not found. Neither is the removal of the last entries.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow` when the row about the tree was changed, an entry is missing, or
    ///   the log ends before its last checkpoint; `storeFailed`; `CancellationError`.
    func numberAudit() async throws {
        try await numberArrivals()
        let leaf = AuditLeaf(tenant: configuration.tenant)
        var isComplete = try await read { [self] store in
            guard try store.auditShortfall() == nil else { throw alteredTree() }
            return try store.auditRows(from: (store.auditTree()?.size ?? 0) + 1, limit: 1).isEmpty
        }
        while !isComplete {
            try Task.checkCancellation()
            let key = keys.auditKey(at: time.now())
            isComplete = try await writeAsPlatform { [self] store in
                var tree = try signedTree(in: store)
                let entries = try store.auditRows(from: tree.last + 1, limit: Self.auditBatch)
                for entry in entries {
                    guard entry.sequence == tree.last + 1 else { throw PlatformError(.alteredRow) }
                    tree.append(leaf.hash(of: entry))
                }
                guard !entries.isEmpty else { return true }
                guard let root = tree.root else { throw PlatformError(.internal) }
                var state = try store.currentState()
                let text = CheckpointText(origin: logOrigin(of: state), size: tree.last, root: root)
                try store.put(AuditTreeRecord(size: tree.last, peaks: tree.peaks, note: key.sign(text).note))
                state.auditSize = tree.last
                try requireWritten(store.update(state))
                return entries.count < Self.auditBatch
            }
        }
    }

    /// Assigns the next numbers to audit log entries without a number. Everything that reads the log calls it first,
    /// and therefore sees each entry that was committed before.
    ///
    /// Only PostgreSQL has such entries: see ``StoreTransaction/append(_:)-(AuditEntry)``.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`, also on a database that is currently read-only and contains such
    ///   entries: a list without the latest ones would look complete. `CancellationError`.
    func numberArrivals() async throws {
        // The log is read more often than there is something to write.
        guard store.database.dialect == .postgreSQL, try await read({ try $0.arrivals(in: "audit").count }) > 0 else {
            return
        }
        while try await writeAsPlatform({ try $0.numberArrivals(limit: Self.auditBatch) }) == Self.auditBatch {
            try Task.checkCancellation()
        }
    }

    /// Returns the tree of the audit log, which the platform has signed.
    ///
    /// A writer to the database can put the row back to an earlier state, but not the size in the row about the
    /// platform, unless that row is also put back. The log then no longer matches a checkpoint that is kept elsewhere.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow`.
    private func signedTree(in store: any StoreReader) throws -> MerkleForest {
        let (pruned, signed) = (try store.prunedPart(), try store.currentState().auditSize)
        guard let record = try store.auditTree() else {
            // A log with a pruned part or a checkpoint had a tree.
            guard pruned.size == 0, signed == 0, try store.auditCheckpoints(before: nil, limit: 1).isEmpty else {
                throw alteredTree()
            }
            return MerkleForest()
        }
        guard record.size >= pruned.size, record.size >= signed,
            let tree = MerkleForest(count: record.size, peaks: record.peaks),
            let checkpoint = try? checkpoint(of: record.note), checkpoint.size == record.size,
            tree.root == checkpoint.root
        else { throw alteredTree() }
        return tree
    }

    /// Returns the first entry of the log that begins with a restore. It names the size and the root of the log that it
    /// continues, with the entries that wait for their places.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow` as ``numberAudit()``, and when the log ends before its last
    ///   checkpoint.
    func continuation(of store: any StoreReader, now: Timestamp) throws -> AuditEntry {
        guard try store.auditShortfall() == nil else { throw alteredTree() }
        let leaf = AuditLeaf(tenant: configuration.tenant)
        var tree = try signedTree(in: store)
        while case let entries = try store.auditRows(from: tree.last + 1, limit: Self.auditBatch), !entries.isEmpty {
            for entry in entries {
                guard entry.sequence == tree.last + 1 else { throw alteredTree() }
                tree.append(leaf.hash(of: entry))
            }
        }
        guard let root = tree.root else { throw PlatformError(.internal) }
        return AuditEntry(time: now, event: .auditContinued, reason: "\(tree.last) \(Hex.encode(root))")
    }

    /// Logs at the start when the audit log ends before its last checkpoint.
    func reportAuditShortfall() async throws {
        guard let size = try await read({ try $0.auditShortfall() }) else { return }
        logger.error("the audit log ends before its last checkpoint", metadata: ["audit.size": "\(size)"])
    }

    private func alteredTree() -> PlatformError {
        store.check.reportRow(of: "audit_tree")
        return PlatformError(.alteredRow)
    }
}

extension StoreReader {
    /// Returns the size of the last checkpoint of the tree when the audit log or the tree ends before it; nil
    /// otherwise.
    func auditShortfall() throws -> Int64? {
        let (signed, size) = (try currentState().auditSize, try auditTree()?.size ?? 0)
        return min(size, try lastAuditNumber()) < signed ? signed : nil
    }

    /// Returns the number of entries of the audit log that have no place in its tree, and the time of the first one.
    func waitingAudit() throws -> (count: Int64, since: Timestamp?) {
        let arrivals = try arrivals(in: "audit")
        let size = try auditTree()?.size ?? 0
        guard let first = try auditRows(from: size + 1, limit: 1).first else { return arrivals }
        let last = try auditEntries(of: nil, before: nil, limit: 1).first?.sequence ?? first.sequence
        return (last - size + arrivals.count, min(first.time, arrivals.since ?? first.time))
    }
}
