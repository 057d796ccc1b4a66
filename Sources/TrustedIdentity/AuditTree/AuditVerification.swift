/// The result of a comparison of the audit log with its tree.
public struct AuditVerification: Sendable, Hashable {
    /// A place where the log is not what the platform has written.
    public enum Finding: Sendable, Hashable {
        /// The row with this number was changed, or another program has written it.
        case changedEntry(Int64)
        /// The row with this number is missing. Further ones after it may be, too.
        case missingEntry(Int64)
        /// The log has fewer entries than a checkpoint of this size, or than it had when the master key was replaced.
        case shorterThanCheckpoint(Int64)
        /// The first entries are not those that a checkpoint of this size has signed, or that the log had when the
        /// master key was replaced.
        case otherThanCheckpoint(Int64)
        /// The rows that the store keeps of the pruned part, which has this number of entries, were changed.
        case changedPrunedPart(Int64)
        /// The row of the checkpoint that the platform keeps of this size was changed, or another program has written
        /// it.
        case changedCheckpoint(Int64)
    }

    /// A root of the tree at an earlier size.
    public struct EarlierRoot: Sendable, Hashable {
        /// The number of entries.
        public var size: Int64
        /// The root of the tree over them, 32 bytes.
        public var root: [UInt8]

        /// Creates a root.
        public init(size: Int64, root: [UInt8]) {
            self.size = size
            self.root = root
        }
    }

    /// The most findings that are listed.
    static let listedFindings = 100

    /// The number of the last entry.
    public internal(set) var size: Int64 = 0
    /// The first 100 findings: those about entries in the order of the log, then those about checkpoints.
    public internal(set) var findings: [Finding] = []
    /// The number of all findings. 0 means that the log is as the platform has written it.
    public internal(set) var findingCount = 0
    /// The pruned part, whose entries are in files; `nil` for a log that was never pruned.
    public internal(set) var pruned: EarlierRoot?
    /// The roots of smaller sizes than that of the pruned part, of checkpoints and of replacements of the master key.
    /// They were not compared: ``PrunedAuditFile`` compares them with the files.
    public internal(set) var uncompared: [EarlierRoot] = []
}

/// A comparison of the rows of the audit log, one after another, with their seals and with checkpoints.
struct AuditCheck: Sendable {
    private(set) var result = AuditVerification()
    private let authenticator: RowAuthenticator
    private let checkpoints: [(size: Int64, root: [UInt8])]
    private var edge: AuditEdge
    /// The tree over the rows; `nil` after a gap.
    private var tree: MerkleRange?
    /// The roots of the tree at the sizes of the checkpoints.
    private var roots: [Int64: [UInt8]] = [:]
    private let sizes: Set<Int64>
    private let pruned: PrunedPart
    /// The number of the last row, or of the last entry that was pruned.
    var last: Int64 { edge.last }
    /// The root over the rows; `nil` after a gap.
    var root: [UInt8]? { tree?.root }

    init(authenticator: RowAuthenticator, checkpoints: [AuditCheckpoint], pruned: PrunedPart = .none) {
        self.authenticator = authenticator
        let earlier = authenticator.ring.present.seals.filter { !$0.root.isEmpty }
        self.checkpoints =
            (checkpoints.map { ($0.size, $0.root) } + earlier.map { ($0.last, $0.root) }).sorted { $0.0 < $1.0 }
        sizes = Set(self.checkpoints.map(\.size))
        self.pruned = pruned
        edge = AuditEdge(of: pruned)
        roots[pruned.size] = pruned.root
        if pruned.size > 0 { result.pruned = .init(size: pruned.size, root: pruned.root) }
        // The subtrees in the store are those that the platform has kept.
        if pruned.isIntact {
            tree = MerkleRange(count: pruned.size, peaks: pruned.peaks.map(\.hash))
        } else {
            report(.changedPrunedPart(pruned.size))
        }
    }

    /// Compares a row. The rows are given in ascending order.
    mutating func check(_ row: AuditRow) {
        let sequence = row.entry.sequence
        // 1. The platform numbers its entries from 1, or from the end of the pruned part.
        guard sequence > edge.last else { return report(.changedEntry(sequence)) }
        // 2. No row is missing.
        if sequence > edge.last + 1 {
            report(.missingEntry(edge.last + 1))
            tree = nil
        }
        let leafHash = authenticator.auditLeaf.hash(of: row.entry)
        // 3. The platform has written the seal for this number, 4. and over what the row has in its columns.
        let sealed = row.seal.flatMap { authenticator.authenticSubtree(of: $0, ofAuditEntry: sequence) }
        if sealed == nil || sealed != edge.subtree(of: leafHash, at: sequence) { report(.changedEntry(sequence)) }
        edge.append(sequence, subtree: sealed)
        tree?.append(leafHash)
        if let tree, sizes.contains(tree.count) { roots[tree.count] = tree.root }
    }

    /// Compares the rows with the checkpoints, after the last row.
    ///
    /// - Parameter changed: The sizes of checkpoints that the platform keeps and whose rows were changed.
    mutating func finish(changed: [Int64] = []) {
        result.size = edge.last
        for size in changed { report(.changedCheckpoint(size)) }
        for checkpoint in checkpoints {
            if checkpoint.size < pruned.size {
                result.uncompared.append(.init(size: checkpoint.size, root: checkpoint.root))
            } else if checkpoint.size > edge.last {
                report(.shorterThanCheckpoint(checkpoint.size))
            } else if roots[checkpoint.size] != checkpoint.root {
                report(.otherThanCheckpoint(checkpoint.size))
            }
        }
    }

    private mutating func report(_ finding: AuditVerification.Finding) {
        result.findingCount += 1
        if result.findings.count < AuditVerification.listedFindings { result.findings.append(finding) }
    }
}
