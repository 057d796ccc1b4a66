extension PrunedAudit {
    /// The part of a log that was never pruned. No row contains it.
    static let empty = PrunedAudit(size: 0, peaks: [], hasRows: false)

    /// The root of the tree over the entries.
    var root: [UInt8] { MerkleTree.root(ofPeaks: peaks) }
}

extension StoreReader {
    /// Returns the pruned part of the audit log. The row about the platform contains it, and the HMAC of that row was
    /// verified.
    func prunedPart() throws -> PrunedAudit {
        guard let pruned = try platformState()?.prunedAudit else { return .empty }
        guard pruned.size > 0, pruned.peaks.count == pruned.size.nonzeroBitCount else {
            throw PlatformError(.alteredRow)
        }
        return pruned
    }
}
