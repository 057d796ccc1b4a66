@testable import TrustedIdentity

/// The verification of proofs, which a verifier does without the log (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
enum ProofVerifier {
    /// Returns whether an inclusion proof is right (RFC 9162, section 2.1.3.2).
    static func isIncluded(
        _ leafHash: [UInt8], at index: Int64, in size: Int64, root: [UInt8], proof: [[UInt8]]
    ) -> Bool {
        guard index >= 0, index < size, proof.allSatisfy({ $0.count == MerkleTree.hashLength }) else { return false }
        var (node, last, hash) = (index, size - 1, leafHash)
        for sibling in proof {
            guard last > 0 else { return false }
            if node & 1 == 1 || node == last {
                hash = MerkleTree.nodeHash(sibling, hash)
                while node & 1 == 0 && node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                hash = MerkleTree.nodeHash(hash, sibling)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && hash == root
    }

    /// Returns whether a consistency proof is right (RFC 9162, section 2.1.4.2).
    ///
    /// - Parameters:
    ///   - first: The earlier size, 1 or more.
    ///   - firstRoot: The root at the earlier size.
    ///   - second: The later size, not less than `first`.
    ///   - secondRoot: The root at the later size.
    static func isConsistent(
        from first: Int64, _ firstRoot: [UInt8], to second: Int64, _ secondRoot: [UInt8], proof: [[UInt8]]
    ) -> Bool {
        guard first > 0, first <= second, proof.allSatisfy({ $0.count == MerkleTree.hashLength }) else { return false }
        guard first < second else { return proof.isEmpty && firstRoot == secondRoot }
        // A first size that is a power of 2 is a node of the later tree, and the proof leaves its root out.
        let path = first & (first - 1) == 0 ? [firstRoot] + proof : proof
        guard let start = path.first else { return false }
        var (node, last) = (first - 1, second - 1)
        while node & 1 == 1 { (node, last) = (node >> 1, last >> 1) }
        var (firstHash, secondHash) = (start, start)
        for hash in path.dropFirst() {
            guard last > 0 else { return false }
            if node & 1 == 1 || node == last {
                firstHash = MerkleTree.nodeHash(hash, firstHash)
                secondHash = MerkleTree.nodeHash(hash, secondHash)
                while node & 1 == 0 && node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                secondHash = MerkleTree.nodeHash(secondHash, hash)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && firstHash == firstRoot && secondHash == secondRoot
    }
}
