internal import Primitives

extension Platform {
    /// The number of rows that one read of a walk over the audit log returns.
    private static let auditPage = 4_096

    /// Returns a signed checkpoint over all entries of the audit log.
    ///
    /// The call first adds the entries of the last minute to the tree. Keep checkpoints where the operator of the
    /// database cannot change them: ``verifyAudit(against:)`` then detects whether the log was put back to an earlier
    /// state.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow` when the row about the tree was changed outside of the platform,
    ///   or an entry is missing: see ``verifyAudit(against:)``; `storeFailed`; `CancellationError`.
    public func auditCheckpoint() async throws -> AuditCheckpoint {
        try await numberAudit()
        guard let note = try await read({ try $0.auditTree()?.note }) else {
            let origin = try await logOrigin()
            let text = CheckpointText(origin: origin, size: 0, root: MerkleTree.emptyRoot)
            let key = keys.auditKey(at: time.now())
            return try await PlatformError.mapping { try key.sign(text) }
        }
        guard let checkpoint = try? checkpoint(of: note) else { throw PlatformError(.alteredRow) }
        return checkpoint
    }

    /// Returns a checkpoint as ``auditCheckpoint()`` does, with the key that has signed it, in the form of
    /// ``auditVerifierKey``.
    package func auditCheckpointWithKey() async throws -> (checkpoint: AuditCheckpoint, verifierKey: String) {
        let checkpoint = try await auditCheckpoint()
        let key = auditVerifierKeys.first { (try? AuditCheckpoint(note: checkpoint.note, verifierKeys: [$0])) != nil }
        return (checkpoint, key ?? auditVerifierKey)
    }

    /// Reads a checkpoint of this platform, from a file for example.
    ///
    /// - Parameter note: The signed note. A replaced audit key is also accepted, and so is a log from before or after a
    ///   restore.
    /// - Throws: ``AuditError``.
    public func checkpoint(of note: String) throws(AuditError) -> AuditCheckpoint {
        let keys = keys.records.filter { $0.purpose == .audit }.map(\.publicKey)
        return try AuditCheckpoint(note: note, keyName: auditKeyName, publicKeys: keys)
    }

    /// The key that signs checkpoints, in the form of C2SP signed-note for verifiers: name, id and public key. A
    /// restore does not change it.
    public var auditVerifierKey: String {
        AuditCheckpoint.verifierKey(of: keys.auditKey(at: time.now()).publicKey, named: auditKeyName)
    }

    /// The keys that have signed checkpoints, including replaced ones, in the form of ``auditVerifierKey``.
    public var auditVerifierKeys: [String] {
        keys.records.filter { $0.purpose == .audit }.map {
            AuditCheckpoint.verifierKey(of: $0.publicKey, named: auditKeyName)
        }
    }

    /// Compares the rows of the audit log with the tree and with checkpoints.
    ///
    /// The call first adds the entries of the last minute to the tree, and reads the whole log, in short reads between
    /// other requests. The log must begin with the entries that the checkpoint over the tree, the checkpoints of
    /// ``auditCheckpoints(before:limit:)`` and the given checkpoints commit to. A change of an entry is in the part
    /// between the last checkpoint that agrees and the first one that does not. Entries that were appended during the
    /// call are not compared. Without a given checkpoint, it does not find that the whole database was put back to an
    /// earlier state. Roots of smaller sizes than the pruned part are returned and not compared.
    ///
    /// - Parameter checkpoints: Checkpoints that were kept elsewhere.
    /// - Throws: ``PlatformError`` with `storeFailed`; `CancellationError`. A log that was changed is not an error.
    public func verifyAudit(against checkpoints: [AuditCheckpoint] = []) async throws -> AuditVerification {
        var isTreeChanged = false
        do {
            try await numberAudit()
        } catch let error as PlatformError where error.code == .alteredRow {
            // Entries that are missing at the end are a separate finding.
            isTreeChanged = try await read { try $0.lastAuditNumber() >= $0.currentState().auditSize }
        }
        let kept = try await keptCheckpoints()
        // The signature of the tree is also a checkpoint. A checkpoint that is both kept and given is compared once.
        let (state, record) = try await read { try ($0.currentState(), $0.auditTree()) }
        let tree = record.flatMap { try? checkpoint(of: $0.note) }
        let own = kept.checkpoints + (tree.map { [$0] } ?? [])
        var known: [AuditCheckpoint] = []
        for checkpoint in own + checkpoints where !known.contains(checkpoint) { known.append(checkpoint) }
        // Other entries have no place in the tree yet, unless they cannot get one.
        let end = isTreeChanged ? Int64.max : tree?.size ?? 0
        var check = try await walkAudit { [known, leaf = AuditLeaf(tenant: configuration.tenant)] pruned in
            AuditCheck(leaf: leaf, checkpoints: known, pruned: pruned)
        } visit: { check, entry in
            if entry.sequence <= end { check.check(entry) }
        }
        let origin = logOrigin(of: state)
        check.finish(
            changed: kept.changed, isTreeChanged: isTreeChanged,
            foreign: Set(checkpoints.filter { $0.origin != origin }).subtracting(own), signedSize: state.auditSize)
        var result = check.result
        result.origin = origin
        result.checkpointCount = known.count - result.uncompared.count
        result.keyID = tree?.keyID ?? []
        return result
    }

    /// Proves that an entry is in the audit log, against a new checkpoint. The call reads the whole log.
    ///
    /// - Parameter sequence: The number of the entry.
    /// - Returns: The proof; `nil` when the log contains no such entry.
    /// - Throws: ``PlatformError`` with `prunedEntry` for an entry that was pruned; `alteredRow` when the log was
    ///   changed outside of the platform and its rows therefore have another root; `storeFailed`; `CancellationError`.
    public func proveAudit(entry sequence: Int64) async throws -> AuditInclusionProof? {
        let checkpoint = try await auditCheckpoint()
        guard (1...max(1, checkpoint.size)).contains(sequence), checkpoint.size > 0 else { return nil }
        try await requireUnpruned(sequence)
        let ranges = MerkleTree.inclusionRanges(of: sequence - 1, in: checkpoint.size)
        var leaf: [UInt8] = []
        let nodes = try await nodes(Set(ranges), of: checkpoint) { entry, data in
            if entry.sequence == sequence { leaf = data }
        }
        guard let hashes = nodes.roots(over: ranges) else { throw PlatformError(.prunedEntry) }
        return AuditInclusionProof(leaf: leaf, index: sequence - 1, hashes: hashes, checkpoint: checkpoint)
    }

    /// Proves, with a new checkpoint, that the audit log begins with its content at an earlier size. The call reads the
    /// whole log.
    ///
    /// - Parameter size: The size of an earlier checkpoint, 1 or more, and at least the size of the pruned part.
    /// - Returns: The proof; `nil` when the log has fewer entries.
    /// - Throws: As ``proveAudit(entry:)`` does.
    public func proveAudit(since size: Int64) async throws -> AuditConsistencyProof? {
        let checkpoint = try await auditCheckpoint()
        guard size >= 1, size <= checkpoint.size else { return nil }
        if size < .max { try await requireUnpruned(size + 1) }
        let ranges = MerkleTree.consistencyRanges(from: size, to: checkpoint.size)
        guard let hashes = try await nodes(Set(ranges), of: checkpoint).roots(over: ranges) else {
            throw PlatformError(.prunedEntry)
        }
        return AuditConsistencyProof(earlierSize: size, hashes: hashes, checkpoint: checkpoint)
    }

    /// Throws ``PlatformError`` with `prunedEntry` when an entry was pruned.
    private func requireUnpruned(_ sequence: Int64) async throws {
        let pruned = try await read { try $0.currentState().prunedAudit?.size ?? 0 }
        guard sequence > pruned else { throw PlatformError(.prunedEntry) }
    }

    /// The name of the audit keys.
    var auditKeyName: String {
        CheckpointText.keyName(fingerprint: keys.firstFingerprint, tenant: configuration.tenant)
    }

    /// Returns the origin of the log.
    func logOrigin(of state: PlatformStateRecord) -> String {
        CheckpointText.origin(keyName: auditKeyName, restoredAt: state.restoredAt)
    }

    /// Returns the origin of the log.
    func logOrigin() async throws -> String { logOrigin(of: try await read { try $0.currentState() }) }

    /// Returns nodes of the tree, computed from the rows.
    ///
    /// - Parameters:
    ///   - ranges: The nodes, as ranges of leaves.
    ///   - checkpoint: The checkpoint whose tree contains the leaves. The rows must have its root.
    ///   - visit: A closure that receives each entry with the data of its leaf, and from the start again when the log
    ///     is pruned meanwhile.
    func nodes(
        _ ranges: Set<Range<Int64>>, of checkpoint: AuditCheckpoint, visit: (AuditEntry, [UInt8]) -> Void = { _, _ in }
    ) async throws -> MerkleNodes {
        let leaf = AuditLeaf(tenant: configuration.tenant)
        var nodes = try await walkAudit(through: checkpoint.size) { pruned in
            MerkleNodes(ranges, after: pruned)
        } visit: { nodes, entry in
            let data = leaf.data(of: entry)
            visit(entry, data)
            // A row that is not the next one leads to another root.
            nodes.append(MerkleTree.leafHash(data))
        }
        guard nodes.count == checkpoint.size, nodes.root == checkpoint.root else { throw PlatformError(.alteredRow) }
        nodes.finish()
        return nodes
    }

    /// Walks over the rows of the audit log, the earliest first, and begins again when the log is pruned meanwhile.
    ///
    /// - Parameters:
    ///   - last: The number of the last entry.
    ///   - begin: A closure that returns the state of the walk before the first row after the pruned part.
    ///   - visit: A closure that receives each row that is not in the pruned part. It also receives a row with a wrong
    ///     number.
    func walkAudit<Walk>(
        through last: Int64 = .max, begin: (PrunedAudit) -> Walk, visit: (inout Walk, AuditEntry) -> Void
    ) async throws -> Walk {
        while true {
            let pruned = try await read { try $0.prunedPart() }
            var (walk, first, isCurrent) = (begin(pruned), Int64.min, true)
            while isCurrent {
                try Task.checkCancellation()
                let (rows, size) = try await read { [first] store in
                    (
                        try store.auditRows(from: first, limit: Self.auditPage),
                        try store.currentState().prunedAudit?.size ?? 0
                    )
                }
                isCurrent = size == pruned.size
                guard isCurrent else { break }
                let removed = pruned.hasRows ? 1...max(1, pruned.size) : nil
                for entry in rows where entry.sequence <= last {
                    if removed?.contains(entry.sequence) != true { visit(&walk, entry) }
                }
                guard rows.count == Self.auditPage, let end = rows.last?.sequence, end < last else { return walk }
                first = end + 1
            }
        }
    }
}
