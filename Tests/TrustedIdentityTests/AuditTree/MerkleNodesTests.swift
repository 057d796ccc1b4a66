import Testing

@testable import TrustedIdentity

/// The nodes of a tree whose first leaves are not known any more.
struct MerkleNodesTests {
    private static let largest: Int64 = 40

    private static func pruned(_ size: Int64) -> PrunedPart {
        var (subtrees, start) = ([Int64: [UInt8]](), 0)
        for last in MerkleTree.peaks(of: size).reversed() {
            subtrees[last] = MerkleTreeTests.root(start..<Int(last))
            start = Int(last)
        }
        return PrunedPart(size: size, root: MerkleTreeTests.root(0..<Int(size)), subtrees: subtrees)
    }

    private static func nodes(_ ranges: [Range<Int64>], of size: Int64, after pruned: PrunedPart) -> MerkleNodes {
        var nodes = MerkleNodes(Set(ranges), after: pruned)
        for leaf in MerkleTreeTests.leaves[Int(pruned.size)..<Int(size)] { nodes.append(leaf) }
        nodes.finish()
        return nodes
    }

    @Test func `each proof about what remains is that of the whole tree`() {
        for size in 1...Self.largest {
            for first in 0..<size {
                let pruned = Self.pruned(first)
                #expect(pruned.isIntact)
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

    @Test func `a missing or a changed subtree is not intact, and no leaf follows it`() {
        let whole = Self.pruned(13)
        for last in MerkleTree.peaks(of: 13) {
            var subtrees = whole.subtrees
            subtrees[last] = nil
            let part = PrunedPart(size: 13, root: whole.root, subtrees: subtrees)
            #expect(!part.isIntact)
            #expect(Self.nodes([], of: 20, after: part).root != MerkleTreeTests.root(0..<20))
            subtrees[last] = MerkleTree.emptyRoot
            #expect(!PrunedPart(size: 13, root: whole.root, subtrees: subtrees).isIntact)
        }
        #expect(!PrunedPart(size: 12, root: whole.root, subtrees: whole.subtrees).isIntact)
    }

    @Test func `the subtrees over leaves from any place on join with those before them`() {
        for start in 0..<Self.largest {
            var forest = MerkleForest()
            for size in start + 1...Self.largest {
                forest.append(.init(leaves: size - 1..<size, hash: MerkleTreeTests.leaves[Int(size) - 1]))
                let peaks = Self.pruned(start).peaks.map(\.hash)
                var tree = MerkleForest(count: start, peaks: peaks)
                for node in forest.nodes { tree?.append(node) }
                #expect(tree?.last == size && tree?.root == MerkleTreeTests.root(0..<Int(size)))
                #expect(start == 0 || forest.root == nil)
                #expect(MerkleForest(count: start, peaks: peaks + [MerkleTree.emptyRoot]) == nil)
            }
        }
    }
}
