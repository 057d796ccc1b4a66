/// The roots over ranges of a tree: the hashes of its proofs. The leaves are given one after another.
///
/// Each range is a node of the tree. A tree may begin with complete subtrees whose leaves are no longer known. A proof
/// about a leaf or a size after them contains no node inside of them.
struct MerkleNodes: Sendable {
    /// The ranges whose roots are collected.
    private let wanted: Set<Range<Int64>>
    /// The roots by their ranges. The roots of ranges that end with the last leaf are complete after ``finish()``.
    private(set) var found: [Range<Int64>: [UInt8]] = [:]
    private var tree = MerkleForest()

    /// Creates the nodes of a tree that begins with complete subtrees.
    ///
    /// - Parameters:
    ///   - wanted: The ranges whose roots are collected.
    ///   - pruned: The part of the tree whose leaves are not given.
    init(_ wanted: Set<Range<Int64>>, after pruned: PrunedAudit = .empty) {
        self.wanted = wanted
        guard let start = MerkleForest(count: pruned.size, peaks: pruned.peaks) else { return }
        tree = start
        for node in start.nodes { collect(node) }
    }

    /// The number of leaves.
    var count: Int64 { tree.last }

    /// The root over all leaves.
    var root: [UInt8] { tree.root ?? [] }

    /// Appends the hash of a leaf.
    mutating func append(_ leafHash: [UInt8]) {
        let leaf = MerkleForest.Node(leaves: count..<count + 1, hash: leafHash)
        guard !wanted.isEmpty else { return tree.append(leaf) }
        var nodes: [MerkleForest.Node] = []
        tree.append(leaf) { nodes.append($0) }
        for node in nodes { collect(node) }
    }

    /// Collects the roots of ranges that end with the last leaf and are not complete subtrees.
    mutating func finish() {
        var right: MerkleForest.Node?
        for left in tree.nodes.reversed() {
            let node = right.map {
                MerkleForest.Node(
                    leaves: left.leaves.lowerBound..<$0.leaves.upperBound, hash: MerkleTree.nodeHash(left.hash, $0.hash)
                )
            }
            right = node ?? left
            collect(node ?? left)
        }
    }

    /// Returns the roots over ranges; `nil` when one of them is not a node of the tree.
    func roots(over ranges: [Range<Int64>]) -> [[UInt8]]? {
        let roots = ranges.compactMap { found[$0] }
        return roots.count == ranges.count ? roots : nil
    }

    private mutating func collect(_ node: MerkleForest.Node) {
        if wanted.contains(node.leaves) { found[node.leaves] = node.hash }
    }
}
