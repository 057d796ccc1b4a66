import Testing

@testable import TrustedIdentity

/// The nodes of a tree whose first leaves are no longer known.
struct MerkleNodesTests {
    private static let largest: Int64 = 40

    private static func pruned(_ size: Int64) -> PrunedAudit {
        var tree = MerkleForest()
        for leaf in MerkleTreeTests.leaves[..<Int(size)] { tree.append(leaf) }
        return PrunedAudit(size: size, peaks: tree.peaks, hasRows: false)
    }

    private static func nodes(_ ranges: [Range<Int64>], of size: Int64, after pruned: PrunedAudit) -> MerkleNodes {
        var nodes = MerkleNodes(Set(ranges), after: pruned)
        for leaf in MerkleTreeTests.leaves[Int(pruned.size)..<Int(size)] { nodes.append(leaf) }
        nodes.finish()
        return nodes
    }

    @Test func `each proof about what remains is that of the whole tree`() {
        for size in 1...Self.largest {
            for first in 0..<size {
                let pruned = Self.pruned(first)
                for index in first..<size {
                    let ranges = MerkleTree.inclusionRanges(of: index, in: size)
                    let nodes = Self.nodes(ranges, of: size, after: pruned)
                    #expect(nodes.count == size && nodes.root == MerkleTreeTests.root(0..<Int(size)))
                    #expect(nodes.roots(over: ranges) == MerkleTreeTests.hashes(over: ranges))
                }
                for earlier in max(1, first)...size {
                    let ranges = MerkleTree.consistencyRanges(from: earlier, to: size)
                    let nodes = Self.nodes(ranges, of: size, after: pruned)
                    #expect(nodes.roots(over: ranges) == MerkleTreeTests.hashes(over: ranges))
                }
            }
        }
    }

    @Test func `no proof is made of a pruned leaf, unless its siblings are whole subtrees`() {
        let ranges = MerkleTree.inclusionRanges(of: 2, in: 20)
        #expect(Self.nodes(ranges, of: 20, after: Self.pruned(13)).roots(over: ranges) == nil)
    }

    @Test func `the subtrees over leaves from any place on join with those before them`() {
        for start in 0..<Self.largest {
            var forest = MerkleForest()
            for size in start + 1...Self.largest {
                forest.append(.init(leaves: size - 1..<size, hash: MerkleTreeTests.leaves[Int(size) - 1]))
                let peaks = Self.pruned(start).peaks
                var tree = MerkleForest(count: start, peaks: peaks)
                for node in forest.nodes { tree?.append(node) }
                #expect(tree?.last == size && tree?.root == MerkleTreeTests.root(0..<Int(size)))
                #expect(start == 0 || forest.root == nil)
                #expect(MerkleForest(count: start, peaks: peaks + [MerkleTree.emptyRoot]) == nil)
            }
        }
    }
}
