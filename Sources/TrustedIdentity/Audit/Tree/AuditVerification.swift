public import Primitives

/// The result of a comparison of the audit log with its tree.
public struct AuditVerification: Sendable, Hashable {
    /// A place where the log differs from what the platform has written.
    public enum Finding: Sendable, Hashable {
        /// Another program has written the row with this number, which the platform does not assign.
        case foreignEntry(Int64)
        /// The row with this number is missing. Further rows after it may also be missing.
        case missingEntry(Int64)
        /// The log has fewer entries than a checkpoint of this size.
        case shorterThanCheckpoint(Int64)
        /// The first entries differ from the ones that a checkpoint of this size commits to.
        case otherThanCheckpoint(Int64)
        /// A given checkpoint of this size belongs to another log of the platform, from before or after a restore, and
        /// this log does not begin with its entries.
        case otherLog(Int64)
        /// The row about the tree was changed, or an entry after it is missing. No further entry gets a place.
        case changedTree
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

    /// The maximum number of findings that are listed.
    static let listedFindings = 100

    /// The origin of the log: the first line of its checkpoints.
    public internal(set) var origin = ""
    /// The number of the last entry.
    public internal(set) var size: Int64 = 0
    /// The root of the tree over all entries, 32 bytes; empty when an entry is missing.
    public internal(set) var root: [UInt8] = []
    /// The time of the last entry; `nil` for a log without entries.
    public internal(set) var lastEntryTime: Timestamp?
    /// The id of the key that has signed the checkpoint over the tree, 4 bytes; empty for a log without one.
    public internal(set) var keyID: [UInt8] = []
    /// The number of checkpoints that were compared.
    public internal(set) var checkpointCount = 0
    /// The first 100 findings: findings about entries in the order of the log, then findings about checkpoints.
    public internal(set) var findings: [Finding] = []
    /// The number of all findings. 0 means that the log is as the platform has written it.
    public internal(set) var findingCount = 0
    /// The pruned part, whose entries are in files; `nil` for a log that was never pruned.
    public internal(set) var pruned: EarlierRoot?
    /// The roots of checkpoints with fewer entries than the pruned part. They were not compared: ``PrunedAuditFile``
    /// compares them with the files.
    public internal(set) var uncompared: [EarlierRoot] = []
}

/// A comparison of the rows of the audit log, one after another, with checkpoints.
struct AuditCheck: Sendable {
    private(set) var result = AuditVerification()
    private let leaf: AuditLeaf
    private let checkpoints: [AuditCheckpoint]
    /// The number of the last row, or of the last entry that was pruned.
    private(set) var last: Int64
    /// The tree over the rows; `nil` after a gap.
    private(set) var tree: MerkleForest?
    /// The roots of the tree at the sizes of the checkpoints.
    private var roots: [Int64: [UInt8]] = [:]
    private let sizes: Set<Int64>
    private let pruned: PrunedAudit

    init(leaf: AuditLeaf, checkpoints: [AuditCheckpoint], pruned: PrunedAudit = .empty) {
        self.leaf = leaf
        self.checkpoints = checkpoints.sorted { $0.size < $1.size }
        sizes = Set(checkpoints.map(\.size))
        self.pruned = pruned
        last = pruned.size
        tree = MerkleForest(count: pruned.size, peaks: pruned.peaks)
        roots[pruned.size] = pruned.root
        if pruned.size > 0 { result.pruned = .init(size: pruned.size, root: pruned.root) }
    }

    /// Compares a row. The rows are given in ascending order.
    mutating func check(_ entry: AuditEntry) {
        // 1. The platform numbers its entries from 1, or from the end of the pruned part.
        guard entry.sequence > last else { return report(.foreignEntry(entry.sequence)) }
        // 2. No row is missing.
        if entry.sequence > last + 1 {
            report(.missingEntry(last + 1))
            tree = nil
        }
        // 3. The rows have the roots of the checkpoints.
        last = entry.sequence
        result.lastEntryTime = entry.time
        tree?.append(leaf.hash(of: entry))
        if let tree, sizes.contains(last) { roots[last] = tree.root }
    }

    /// Compares the rows with the checkpoints, after the last row.
    ///
    /// - Parameters:
    ///   - changed: The sizes of checkpoints that the platform keeps and whose rows were changed.
    ///   - foreign: The checkpoints that were kept elsewhere and have another origin than the log.
    ///   - signedSize: The size of the last checkpoint of the tree, which the row about the platform contains.
    mutating func finish(
        changed: [Int64] = [], isTreeChanged: Bool = false, foreign: Set<AuditCheckpoint> = [], signedSize: Int64 = 0
    ) {
        result.size = last
        result.root = tree?.root ?? []
        if isTreeChanged { report(.changedTree) }
        for size in changed { report(.changedCheckpoint(size)) }
        for checkpoint in checkpoints {
            if checkpoint.size < pruned.size {
                result.uncompared.append(.init(size: checkpoint.size, root: checkpoint.root))
            } else if foreign.contains(checkpoint), roots[checkpoint.size] != checkpoint.root {
                report(.otherLog(checkpoint.size))
            } else if checkpoint.size > last {
                report(.shorterThanCheckpoint(checkpoint.size))
            } else if roots[checkpoint.size] != checkpoint.root {
                report(.otherThanCheckpoint(checkpoint.size))
            }
        }
        // Another program can put back the rows of the log together with the rows of its checkpoints, without the row
        // about the platform.
        if signedSize > last, !sizes.contains(signedSize) { report(.shorterThanCheckpoint(signedSize)) }
    }

    private mutating func report(_ finding: AuditVerification.Finding) {
        result.findingCount += 1
        if result.findings.count < AuditVerification.listedFindings { result.findings.append(finding) }
    }
}
