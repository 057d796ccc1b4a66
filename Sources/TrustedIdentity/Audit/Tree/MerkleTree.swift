internal import Crypto

/// The hashes of a Merkle tree with SHA-256 (RFC 6962, section 2.1).
enum MerkleTree {
    /// The length of a hash, in bytes.
    static let hashLength = 32
    /// The root of the tree without leaves.
    static let emptyRoot = Array(SHA256.hash(data: [UInt8]()))

    /// Returns the hash of a leaf.
    static func leafHash(_ data: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: [UInt8(0)])
        hash.update(data: data)
        return Array(hash.finalize())
    }

    /// Returns the hash of an inner node.
    static func nodeHash(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var input = [UInt8]()
        input.reserveCapacity(1 + 2 * hashLength)
        input.append(1)
        input.append(contentsOf: left)
        input.append(contentsOf: right)
        return Array(SHA256.hash(data: input))
    }

    /// Returns the last leaves of the complete subtrees that make up a tree, the smallest subtree first.
    ///
    /// The complete subtree that ends with leaf number n has as many leaves as the lowest bit of n that is set.
    ///
    /// - Parameter size: The number of leaves. Leaves are counted from 1.
    static func peaks(of size: Int64) -> [Int64] {
        var (peaks, last) = ([Int64](), size)
        while last > 0 {
            peaks.append(last)
            last &= last - 1
        }
        return peaks
    }

    /// Returns the root of a tree.
    ///
    /// - Parameter peaks: The roots of its complete subtrees, the smallest first.
    static func root(ofPeaks peaks: [[UInt8]]) -> [UInt8] {
        guard let smallest = peaks.first else { return emptyRoot }
        return peaks.dropFirst().reduce(smallest) { nodeHash($1, $0) }
    }
}
