/// The part of the pruned entries that the tree of the audit log needs.
struct PrunedPart: Sendable {
    /// The part of a log that was never pruned.
    static let none = PrunedPart(size: 0, peaks: [])

    /// The number of entries, 0 for none.
    let size: Int64
    /// The roots of the largest complete subtrees, the smallest first.
    let peaks: [[UInt8]]
    /// Whether rows of them may still be in the store. They no longer belong to the log.
    let hasRows: Bool

    init(size: Int64, peaks: [[UInt8]], hasRows: Bool = false) {
        self.size = size
        self.peaks = peaks
        self.hasRows = hasRows
    }

    /// The root of the tree over them.
    var root: [UInt8] { MerkleTree.root(ofPeaks: peaks) }
}

extension StoreReader {
    /// Returns what is kept of the pruned audit log entries. The row about the platform contains it, and the HMAC of
    /// that row was verified.
    func prunedPart() throws -> PrunedPart {
        guard let pruned = try platformState()?.prunedAudit else { return .none }
        guard pruned.size > 0, pruned.peaks.count == pruned.size.nonzeroBitCount else {
            throw PlatformError(.alteredRow)
        }
        return PrunedPart(size: pruned.size, peaks: pruned.peaks, hasRows: pruned.hasRows)
    }
}
