/// The part of the pruned entries that the tree of the audit log needs.
struct PrunedPart: Sendable {
    /// The part of a log that was never pruned.
    static let none = PrunedPart(size: 0, root: MerkleTree.emptyRoot, subtrees: [:])

    /// The number of entries, 0 for none.
    let size: Int64
    /// The root of the tree over them.
    let root: [UInt8]
    /// Whether rows of them may still be in the store. They no longer belong to the log.
    let hasRows: Bool
    /// The complete subtrees by the entries that they end with. One whose seal is missing or not authentic is not here.
    let subtrees: [Int64: [UInt8]]

    init(size: Int64, root: [UInt8], subtrees: [Int64: [UInt8]]) {
        (self.size, self.root, hasRows, self.subtrees) = (size, root, false, subtrees)
    }

    init(_ pruned: PrunedAudit, kept: [AuditPeak], authenticator: RowAuthenticator) {
        (size, root, hasRows) = (pruned.size, pruned.root, pruned.hasRows)
        var subtrees: [Int64: [UInt8]] = [:]
        for peak in kept {
            subtrees[peak.sequence] = peak.seal.flatMap {
                authenticator.authenticSubtree(of: $0, ofAuditEntry: peak.sequence)
            }
        }
        self.subtrees = subtrees
    }

    /// The complete subtrees with the entries that they end with, the smallest first; those that are known.
    var peaks: [(last: Int64, hash: [UInt8])] {
        MerkleTree.peaks(of: size).compactMap { last in subtrees[last].map { (last, $0) } }
    }

    /// Whether the subtrees make up the tree that the row about the platform names.
    ///
    /// The seals may be of an earlier master key, and the row about the platform is not.
    var isIntact: Bool {
        let peaks = peaks
        return peaks.count == size.nonzeroBitCount && MerkleRange.root(ofPeaks: peaks.map(\.hash)) == root
    }
}

extension StoreReader {
    /// Returns what is kept of the entries of the audit log that were pruned. It may be not intact.
    func prunedPart(_ authenticator: RowAuthenticator) throws -> PrunedPart {
        guard let pruned = try platformState()?.prunedAudit else { return .none }
        return PrunedPart(pruned, kept: try keptAuditPeaks(), authenticator: authenticator)
    }
}
