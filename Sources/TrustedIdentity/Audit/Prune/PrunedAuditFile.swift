/// A file of pruned entries, read to its end and verified without the database.
///
/// The checkpoint in the file commits to its entries. An audit key of the platform has signed the checkpoint, which
/// proves that the platform has written the entries.
public struct PrunedAuditFile: Sendable, Hashable {
    /// The entries, and the root of the log through the last one.
    public let part: AuditPart
    /// The checkpoint in the file.
    public let checkpoint: AuditCheckpoint
    /// The root of the log before the first entry.
    private let earlierRoot: [UInt8]
    /// The roots of the log at the sizes that the reader asked for.
    private let roots: [Int64: [UInt8]]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file, in chunks of any length.
    ///   - verifierKeys: The keys of the log: ``Platform/auditVerifierKeys``.
    ///   - sizes: Sizes of the log that ``compare(_:)`` is called with.
    /// - Throws: ``AuditError``, with `malformedKey` for a text that is not a key; the errors of the file.
    public init<File: AsyncSequence>(
        reading file: File, verifierKeys: [String], sizes: Set<Int64> = []
    ) async throws where File.Element == [UInt8] {
        let tenant = try CheckpointText.tenant(of: AuditVerifierKey(verifierKeys.first ?? "").name)
        var reader = AuditFileReader(tenant: tenant, keys: nil)
        var (leaves, hasNames) = (PartLeaves(tenant: tenant, sizes: sizes), false)
        for try await chunk in file {
            for entry in try reader.read(chunk) {
                leaves.append(entry)
                hasNames = hasNames || entry.account != nil
            }
        }
        let summary = try reader.finishWithoutKey()
        guard let note = summary.checkpoint, let encoded = summary.peaks else { throw AuditError(.notPruned) }
        let peaks = encoded.compactMap(AuditFile.hash)
        // 1. An audit key of this platform has signed the checkpoint. 2. It is the one at the last entry.
        // 3. The root of the tree over the peaks and the entries equals its root. The HMAC of the file is not needed
        // then. 4. No line contains a name, because a name is not part of a leaf. 5. The checkpoint contains no
        // unverified line.
        guard let checkpoint = try? AuditCheckpoint(note: note, verifierKeys: verifierKeys),
            checkpoint.hasOneSignature, checkpoint.size == summary.last, peaks.count == encoded.count,
            let before = MerkleForest(count: summary.first - 1, peaks: peaks),
            leaves.root(at: summary.last, after: before) == checkpoint.root, !hasNames
        else { throw AuditError(.notSigned) }
        part = AuditPart(first: summary.first, last: summary.last, root: checkpoint.root)
        self.checkpoint = checkpoint
        earlierRoot = before.root ?? []
        var roots = [summary.first - 1: earlierRoot, summary.last: checkpoint.root]
        for size in leaves.sizes { roots[size] = leaves.root(at: size, after: before) }
        self.roots = roots
    }

    /// Compares the file with an earlier root of the log.
    ///
    /// - Parameter root: The root of a checkpoint. Its size is one of the sizes that the file was read for.
    /// - Returns: Whether the log has the root; `nil` when its size is not in the file.
    public func compare(_ root: AuditVerification.EarlierRoot) -> Bool? {
        roots[root.size].map { $0 == root.root }
    }

    /// Throws an error unless a file begins where the previous one ends.
    ///
    /// - Throws: ``AuditError`` with `notFollowing`.
    public func requireFollowing(_ earlier: PrunedAuditFile) throws(AuditError) {
        guard part.first == earlier.part.last + 1, earlierRoot == earlier.part.root else {
            throw AuditError(.notFollowing)
        }
    }
}

/// The tree over the entries of a file. Its beginning is known only at the end of the file.
private struct PartLeaves {
    private let leaf: AuditLeaf
    private let wanted: Set<Int64>
    private var forest = MerkleForest()
    /// The subtrees at the sizes that are asked for.
    private var earlier: [Int64: MerkleForest] = [:]

    init(tenant: String, sizes: Set<Int64>) {
        leaf = AuditLeaf(tenant: tenant)
        wanted = sizes
    }

    /// The sizes that are asked for and that end in the file.
    var sizes: some Collection<Int64> { earlier.keys }

    mutating func append(_ entry: AuditEntry) {
        let index = entry.sequence - 1
        forest.append(.init(leaves: index..<entry.sequence, hash: leaf.hash(of: entry)))
        if wanted.contains(entry.sequence) { earlier[entry.sequence] = forest }
    }

    /// Returns the root at the end of the file, or at a size that is asked for.
    func root(at size: Int64, after before: MerkleForest) -> [UInt8]? {
        var tree = before
        for node in (earlier[size] ?? forest).nodes { tree.append(node) }
        return tree.last == size ? tree.root : nil
    }
}
