internal import Primitives

extension Platform {
    /// The number of rows that one read of a walk over the audit log returns.
    private static let auditPage = 4_096

    /// Signs a checkpoint of the audit log with all entries that it has.
    ///
    /// Nothing is written. Keep checkpoints where the operator of the database cannot change them:
    /// ``verifyAudit(against:)`` then finds out whether the log was put back to an earlier state.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow` when a row that the root depends on was changed outside of the
    ///   platform: see ``verifyAudit(against:)``; `storeFailed`; `CancellationError`.
    public func auditCheckpoint() async throws -> AuditCheckpoint {
        let (origin, key, authenticator) = (auditOrigin, keys.auditKey(at: time.now()), store.authenticator)
        return try await read { store in
            guard let tree = try store.auditRoot(authenticator) else { throw PlatformError(.alteredRow) }
            return try key.sign(CheckpointText(origin: origin, size: tree.size, root: tree.root))
        }
    }

    /// Reads a checkpoint of this platform, from a file for example.
    ///
    /// - Parameter note: The signed note. An audit key that was replaced counts, too.
    /// - Throws: ``AuditCheckpointError``.
    public func checkpoint(of note: String) throws(AuditCheckpointError) -> AuditCheckpoint {
        let keys = keys.records.filter { $0.purpose == .audit }.map(\.publicKey)
        return try AuditCheckpoint(note: note, origin: auditOrigin, publicKeys: keys)
    }

    /// The key that signs checkpoints, in the form of C2SP signed-note for those who verify them: name of the log, id
    /// of the key, and public key.
    public var auditVerifierKey: String {
        AuditCheckpoint.verifierKey(of: keys.auditKey(at: time.now()).publicKey, named: auditOrigin)
    }

    /// Compares every row of the audit log with its seal, and the tree over the rows with checkpoints.
    ///
    /// Nothing is written. The call reads the whole log, in short reads beside the requests of others. Without a
    /// checkpoint, it does not detect that the last entries were deleted, or that the database was put back to an
    /// earlier state. Each replacement of the master key has kept the root of the log at its time, which is compared as
    /// a checkpoint is.
    ///
    /// - Parameter checkpoints: Checkpoints that were kept elsewhere. The log must begin with what they have signed.
    /// - Throws: ``PlatformError`` with `storeFailed`; `CancellationError`. A log that was changed is no error.
    public func verifyAudit(against checkpoints: [AuditCheckpoint] = []) async throws -> AuditVerification {
        var check = AuditCheck(authenticator: store.authenticator, checkpoints: checkpoints)
        try await eachAuditRow { check.check($0) }
        check.finish()
        return check.result
    }

    /// Proves that an entry is in the audit log, against a new checkpoint. The call reads the whole log.
    ///
    /// - Parameter sequence: The number of the entry.
    /// - Returns: The proof; `nil` when the log has no such entry.
    /// - Throws: ``PlatformError`` with `alteredRow` when the log was changed outside of the platform, so that its rows
    ///   have another root; `storeFailed`; `CancellationError`.
    public func proveAudit(entry sequence: Int64) async throws -> AuditInclusionProof? {
        let checkpoint = try await auditCheckpoint()
        guard (1...max(1, checkpoint.size)).contains(sequence), checkpoint.size > 0 else { return nil }
        let ranges = MerkleTree.inclusionRanges(of: sequence - 1, in: checkpoint.size)
        var leaf: [UInt8] = []
        let hashes = try await roots(over: ranges, of: checkpoint) { entry, data in
            if entry.sequence == sequence { leaf = data }
        }
        return AuditInclusionProof(leaf: leaf, index: sequence - 1, hashes: hashes, checkpoint: checkpoint)
    }

    /// Proves that the audit log, with a new checkpoint, begins with what it was at an earlier size. The call reads the
    /// whole log.
    ///
    /// - Parameter size: The size of an earlier checkpoint, 1 or more.
    /// - Returns: The proof; `nil` when the log has fewer entries.
    /// - Throws: As ``proveAudit(entry:)`` does.
    public func proveAudit(since size: Int64) async throws -> AuditConsistencyProof? {
        let checkpoint = try await auditCheckpoint()
        guard size >= 1, size <= checkpoint.size else { return nil }
        let ranges = MerkleTree.consistencyRanges(from: size, to: checkpoint.size)
        return AuditConsistencyProof(
            earlierSize: size, hashes: try await roots(over: ranges, of: checkpoint), checkpoint: checkpoint)
    }

    /// The name of the log in checkpoints.
    private var auditOrigin: String {
        CheckpointText.origin(fingerprint: keys.firstFingerprint, tenant: configuration.tenant)
    }

    /// Returns the roots over ranges of leaves that do not overlap, computed from the rows.
    ///
    /// - Parameters:
    ///   - ranges: The ranges, in any order.
    ///   - checkpoint: The checkpoint whose tree has the leaves. The rows must have its root.
    ///   - visit: A closure that receives each entry with the data of its leaf.
    private func roots(
        over ranges: [Range<Int64>], of checkpoint: AuditCheckpoint, visit: (AuditEntry, [UInt8]) -> Void = { _, _ in }
    ) async throws -> [[UInt8]] {
        let leaf = store.authenticator.auditLeaf
        var tree = MerkleRange()
        var subtrees = [MerkleRange](repeating: MerkleRange(), count: ranges.count)
        let order = ranges.indices.sorted { ranges[$0].lowerBound < ranges[$1].lowerBound }
        var position = 0
        try await eachAuditRow(through: checkpoint.size) { row in
            let data = leaf.data(of: row.entry)
            let hash = MerkleTree.leafHash(data)
            visit(row.entry, data)
            while position < order.count, ranges[order[position]].upperBound <= tree.count { position += 1 }
            if position < order.count, ranges[order[position]].contains(tree.count) {
                subtrees[order[position]].append(hash)
            }
            tree.append(hash)
        }
        guard tree.count == checkpoint.size, tree.root == checkpoint.root else { throw PlatformError(.alteredRow) }
        return subtrees.map(\.root)
    }

    /// Walks over the rows of the audit log, the earliest first.
    private func eachAuditRow(through last: Int64 = .max, _ body: (AuditRow) -> Void) async throws {
        var first = Int64.min
        while true {
            try Task.checkCancellation()
            let rows = try await read { [first] in try $0.auditRows(from: first, limit: Self.auditPage) }
            for row in rows where row.entry.sequence <= last { body(row) }
            guard rows.count == Self.auditPage, let end = rows.last?.entry.sequence, end < last else { return }
            first = end + 1
        }
    }
}

extension StoreReader {
    /// Returns the number of entries of the audit log, and the root of the tree over them by the seals.
    ///
    /// - Returns: `nil` when a row that the root depends on was changed outside of the platform.
    func auditRoot(_ authenticator: RowAuthenticator) throws -> (size: Int64, root: [UInt8])? {
        let size = max(0, try auditEdge().first?.sequence ?? 0)
        var subtrees: [[UInt8]] = []
        for sequence in MerkleTree.peaks(of: size) {
            guard let row = try auditRows(from: sequence, limit: 1).first, row.entry.sequence == sequence,
                let seal = row.seal,
                let subtree = authenticator.authenticSubtree(of: seal, ofAuditEntry: sequence)
            else { return nil }
            subtrees.append(subtree)
        }
        return (size, MerkleRange.root(ofPeaks: subtrees))
    }
}
