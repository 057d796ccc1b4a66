/// The end of the tree of the audit log: what the subtree of the next entry depends on.
///
/// A subtree whose seal is missing or not authentic has no leaves here. The log therefore goes on after another program
/// has changed it, and no hash of that program gets under a signature of the platform.
struct AuditEdge: Sendable {
    /// The authentic subtrees by the entries that they end with.
    private var subtrees: [Int64: [UInt8]] = [:]
    /// The number of the last entry, 0 before the first one.
    private(set) var last: Int64 = 0
    /// Whether each entry that the end was created from has its seal.
    let isAuthentic: Bool

    /// Creates the end of an empty tree.
    init() { isAuthentic = true }

    /// Creates the end of a tree whose entries were pruned.
    init(of pruned: PrunedPart) {
        subtrees = pruned.subtrees
        last = pruned.size
        isAuthentic = pruned.isIntact
    }

    /// Creates the end of a tree from its last entries, the latest first.
    init(_ peaks: [AuditPeak], authenticator: RowAuthenticator) {
        for peak in peaks {
            subtrees[peak.sequence] = peak.seal.flatMap {
                authenticator.authenticSubtree(of: $0, ofAuditEntry: peak.sequence)
            }
        }
        last = max(0, peaks.first?.sequence ?? 0)
        isAuthentic = subtrees.count == peaks.count
    }

    /// Returns the largest complete subtree that ends with an entry.
    ///
    /// - Parameters:
    ///   - leafHash: The hash of the leaf of the entry.
    ///   - sequence: The number of the entry, 1 or more.
    func subtree(of leafHash: [UInt8], at sequence: Int64) -> [UInt8] {
        MerkleTree.joinedPeaks(of: sequence - 1).reduce(leafHash) { hash, peak in
            MerkleTree.nodeHash(subtrees[peak] ?? MerkleTree.emptyRoot, hash)
        }
    }

    /// Moves the end of the tree behind an entry.
    ///
    /// - Parameters:
    ///   - sequence: The number of the entry, higher than that of the last one.
    ///   - subtree: The subtree that ends with the entry; `nil` when its seal is not authentic.
    mutating func append(_ sequence: Int64, subtree: [UInt8]?) {
        if sequence == last + 1 {
            for peak in MerkleTree.joinedPeaks(of: last) { subtrees[peak] = nil }
        } else {
            let peaks = Set(MerkleTree.peaks(of: sequence))
            subtrees = subtrees.filter { peaks.contains($0.key) }
        }
        subtrees[sequence] = subtree
        last = sequence
    }
}
