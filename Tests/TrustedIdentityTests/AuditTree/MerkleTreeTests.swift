import Crypto
import Primitives
import Testing

@testable import TrustedIdentity

/// The tree against the recursive definitions of RFC 6962, section 2.1.
struct MerkleTreeTests {
    static let largest: Int64 = 130

    /// The hashes of the leaves 0, 1, 2, ….
    static let leaves = (0..<largest).map { MerkleTree.leafHash(Array("\($0)".utf8)) }

    /// The inputs of the reference tests of Certificate Transparency, and the roots of the trees over the first of
    /// them.
    static let published: [(input: String, root: String)] = [
        ("", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        ("00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
        ("10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
        ("2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
        ("3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"),
        ("40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"),
        ("5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"),
        ("606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
    ]

    /// MTH(D[range]), as the RFC defines it.
    static func root(_ range: Range<Int>) -> [UInt8] {
        guard range.count > 1 else { return range.isEmpty ? MerkleTree.emptyRoot : leaves[range.lowerBound] }
        var power = 1
        while power * 2 < range.count { power *= 2 }
        let middle = range.lowerBound + power
        let input = [1] + root(range.lowerBound..<middle) + root(middle..<range.upperBound)
        return Array(SHA256.hash(data: input))
    }

    static func hashes(over ranges: [Range<Int64>]) -> [[UInt8]] {
        ranges.map { root(Int($0.lowerBound)..<Int($0.upperBound)) }
    }

    /// Changes of a proof that must make it wrong.
    static func damages(of proof: [[UInt8]]) -> [[[UInt8]]] {
        var damages = [proof + [leaves[0]], [leaves[0]] + proof, proof + [[]]]
        for position in proof.indices {
            for bit in [0, 255] {
                var damaged = proof
                damaged[position][bit / 8] ^= 1 << UInt8(bit % 8)
                damages.append(damaged)
            }
            var shorter = proof
            shorter.remove(at: position)
            damages.append(shorter)
            var cut = proof
            cut[position].removeLast()
            damages.append(cut)
            if position > 0, proof[position] != proof[position - 1] {
                var swapped = proof
                swapped.swapAt(position, position - 1)
                damages.append(swapped)
            }
        }
        return damages
    }

    @Test func `the roots over the published inputs are the published ones`() throws {
        var tree = MerkleForest()
        #expect(tree.root.map { Hex.encode($0) } == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        for (input, root) in Self.published {
            tree.append(MerkleTree.leafHash(try Hex.decode(input)))
            #expect(tree.root.map { Hex.encode($0) } == root)
        }
    }

    @Test func `roots of all sizes are those of the recursive definition`() throws {
        var tree = MerkleForest()
        for size in 1...Int(Self.largest) {
            tree.append(Self.leaves[size - 1])
            #expect(tree.root == Self.root(0..<size) && tree.last == Int64(size))
        }
    }

    @Test func `a tree goes on from the subtrees of each size`() throws {
        var tree = MerkleForest()
        for size in 1...Self.largest {
            tree = try #require(MerkleForest(count: tree.last, peaks: tree.peaks))
            tree.append(Self.leaves[Int(size) - 1])
            #expect(tree.peaks.count == size.nonzeroBitCount && tree.root == Self.root(0..<Int(size)))
        }
    }

    @Test func `each leaf of each size has an inclusion proof, and no proof is right for another place`() {
        for size in 1...Self.largest {
            let root = Self.root(0..<Int(size))
            for index in 0..<size {
                let proof = Self.hashes(over: MerkleTree.inclusionRanges(of: index, in: size))
                let leaf = Self.leaves[Int(index)]
                #expect(ProofVerifier.isIncluded(leaf, at: index, in: size, root: root, proof: proof))
                let other = Self.leaves[Int((index + 1) % Self.largest)]
                #expect(!ProofVerifier.isIncluded(other, at: index, in: size, root: root, proof: proof))
                for wrong in [index - 1, index + 1, size, -1, .max] {
                    #expect(!ProofVerifier.isIncluded(leaf, at: wrong, in: size, root: root, proof: proof))
                }
                #expect(!ProofVerifier.isIncluded(leaf, at: index, in: size, root: MerkleTree.emptyRoot, proof: proof))
            }
        }
    }

    @Test func `a damaged inclusion proof is refused`() {
        for size in [1, 2, 3, 7, 8, 9, 33, 130] as [Int64] {
            let root = Self.root(0..<Int(size))
            for index in 0..<size {
                let proof = Self.hashes(over: MerkleTree.inclusionRanges(of: index, in: size))
                for damaged in Self.damages(of: proof) {
                    #expect(
                        !ProofVerifier.isIncluded(
                            Self.leaves[Int(index)], at: index, in: size, root: root, proof: damaged))
                }
            }
        }
    }

    @Test func `each pair of sizes has a consistency proof`() {
        let roots = (0...Int(Self.largest)).map { Self.root(0..<$0) }
        for second in 1...Self.largest {
            for first in 1...second {
                let proof = Self.hashes(over: MerkleTree.consistencyRanges(from: first, to: second))
                let (early, late) = (roots[Int(first)], roots[Int(second)])
                #expect(ProofVerifier.isConsistent(from: first, early, to: second, late, proof: proof))
                #expect(!ProofVerifier.isConsistent(from: first, MerkleTree.emptyRoot, to: second, late, proof: proof))
                #expect(!ProofVerifier.isConsistent(from: first, early, to: second, MerkleTree.emptyRoot, proof: proof))
                if first < second {
                    #expect(!ProofVerifier.isConsistent(from: second, late, to: first, early, proof: proof))
                    let wrong = roots[Int(first) - 1]
                    #expect(!ProofVerifier.isConsistent(from: first, wrong, to: second, late, proof: proof))
                }
            }
        }
        #expect(!ProofVerifier.isConsistent(from: 0, MerkleTree.emptyRoot, to: 3, roots[3], proof: []))
    }

    @Test func `a damaged consistency proof is refused`() {
        for second in [2, 3, 7, 8, 9, 33, 130] as [Int64] {
            for first in 1..<second {
                let proof = Self.hashes(over: MerkleTree.consistencyRanges(from: first, to: second))
                let (early, late) = (Self.root(0..<Int(first)), Self.root(0..<Int(second)))
                for damaged in Self.damages(of: proof) {
                    #expect(!ProofVerifier.isConsistent(from: first, early, to: second, late, proof: damaged))
                }
            }
        }
    }
}
