/// The largest complete subtrees over leaves that follow one another, which may begin anywhere in a tree.
struct MerkleForest: Sendable, Hashable {
    /// A complete subtree: its number of leaves is a power of two, and it begins at a multiple of that number.
    struct Node: Sendable, Hashable {
        let leaves: Range<Int64>
        let hash: [UInt8]
    }

    /// The subtrees in the order of their leaves.
    private(set) var nodes: [Node] = []

    /// The number of the last leaf; 0 for none.
    var last: Int64 { nodes.last?.leaves.upperBound ?? 0 }

    /// The root of the tree; `nil` when its first leaf is not here.
    var root: [UInt8]? {
        guard let first = nodes.first else { return MerkleTree.emptyRoot }
        return first.leaves.lowerBound == 0 ? MerkleTree.root(ofPeaks: peaks) : nil
    }

    /// The roots of the subtrees, the last one first. In a tree that begins with the first leaf, it is the smallest.
    var peaks: [[UInt8]] { nodes.reversed().map(\.hash) }

    /// Appends the hash of a leaf.
    mutating func append(_ leafHash: [UInt8]) { append(Node(leaves: last..<last + 1, hash: leafHash)) }

    /// Appends a subtree that follows the last one, and joins subtrees that make up a larger one.
    ///
    /// - Parameter visit: A closure that receives each subtree, the one that is appended first.
    mutating func append(_ node: Node, _ visit: (Node) -> Void = { _ in }) {
        var node = node
        visit(node)
        while let left = nodes.last, left.leaves.count == node.leaves.count,
            left.leaves.lowerBound.isMultiple(of: 2 * Int64(left.leaves.count))
        {
            nodes.removeLast()
            node = Node(
                leaves: left.leaves.lowerBound..<node.leaves.upperBound, hash: MerkleTree.nodeHash(left.hash, node.hash)
            )
            visit(node)
        }
        nodes.append(node)
    }

    /// Returns the subtrees before a leaf, from the largest complete subtrees of a tree.
    ///
    /// - Parameters:
    ///   - count: The number of leaves.
    ///   - peaks: The roots of the subtrees, the smallest first; `nil` is returned for another number of them.
    init?(count: Int64, peaks: [[UInt8]]) {
        let ends = MerkleTree.peaks(of: count)
        guard ends.count == peaks.count else { return nil }
        var start: Int64 = 0
        for (end, hash) in zip(ends, peaks).reversed() {
            nodes.append(Node(leaves: start..<end, hash: hash))
            start = end
        }
    }

    init() {}
}
