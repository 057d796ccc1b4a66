/// Proofs, as leaf ranges whose roots are the hashes of the proof.
extension MerkleTree {
    /// Returns the ranges of an inclusion proof (RFC 6962, section 2.1.1), from the sibling of the leaf upwards.
    ///
    /// - Parameters:
    ///   - index: The index of the leaf, 0 or more and less than `size`.
    ///   - size: The number of leaves of the tree.
    static func inclusionRanges(of index: Int64, in size: Int64) -> [Range<Int64>] {
        precondition((0..<size).contains(index), "inclusionRanges(of:in:) of a leaf outside of the tree")
        var (tree, ranges) = (0..<size, [Range<Int64>]())
        while tree.count > 1 {
            let (left, right) = halves(of: tree)
            (tree, ranges) = left.contains(index) ? (left, ranges + [right]) : (right, ranges + [left])
        }
        return ranges.reversed()
    }

    /// Returns the root that an inclusion proof leads to; `nil` for a proof of another length.
    ///
    /// - Parameters:
    ///   - leafHash: The hash of the leaf.
    ///   - index: The index of the leaf.
    ///   - size: The number of leaves of the tree.
    ///   - proof: The hashes from the sibling of the leaf upwards.
    static func root(of leafHash: [UInt8], at index: Int64, in size: Int64, proof: [[UInt8]]) -> [UInt8]? {
        guard (0..<max(0, size)).contains(index) else { return nil }
        let ranges = inclusionRanges(of: index, in: size)
        guard ranges.count == proof.count, proof.allSatisfy({ $0.count == hashLength }) else { return nil }
        return zip(ranges, proof).reduce(leafHash) { hash, step in
            step.0.lowerBound > index ? nodeHash(hash, step.1) : nodeHash(step.1, hash)
        }
    }

    /// Returns the ranges of a consistency proof (RFC 6962, section 2.1.2) between two sizes of a tree.
    ///
    /// - Parameters:
    ///   - first: The earlier size, 1 or more and at most `second`. Equal sizes have an empty proof.
    ///   - second: The later size.
    static func consistencyRanges(from first: Int64, to second: Int64) -> [Range<Int64>] {
        precondition(first > 0 && first <= second, "consistencyRanges(from:to:) of sizes out of order")
        var (tree, ranges) = (0..<second, [Range<Int64>]())
        while first < tree.upperBound {
            let (left, right) = halves(of: tree)
            (tree, ranges) = first <= left.upperBound ? (left, ranges + [right]) : (right, ranges + [left])
        }
        // The verifier knows the root of a subtree that begins with the first leaf: it is the root of the earlier size.
        if tree.lowerBound > 0 { ranges.append(tree) }
        return ranges.reversed()
    }

    /// Returns the two subtrees of a tree with two or more leaves. The number of leaves of the left one is the largest
    /// power of 2 that is less than the number of all leaves.
    private static func halves(of tree: Range<Int64>) -> (left: Range<Int64>, right: Range<Int64>) {
        let last = tree.upperBound - tree.lowerBound - 1
        let middle = tree.lowerBound + (1 << (Int64.bitWidth - 1 - last.leadingZeroBitCount))
        return (tree.lowerBound..<middle, middle..<tree.upperBound)
    }
}
