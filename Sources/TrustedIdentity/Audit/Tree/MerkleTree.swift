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
}

/// The root over leaves that are given one after another. Its memory does not grow with their number.
struct MerkleRange: Sendable {
    /// The number of leaves.
    private(set) var count: Int64 = 0
    /// The roots of the complete subtrees, the largest first.
    private var largest: [[UInt8]] = []

    /// The roots of the complete subtrees, the smallest first.
    var peaks: [[UInt8]] { largest.reversed() }

    /// Creates the root over no leaves.
    init() {}

    /// Creates the root over leaves whose complete subtrees are known.
    ///
    /// - Parameters:
    ///   - count: The number of leaves.
    ///   - peaks: The roots of the complete subtrees, the smallest first: one for each bit of the number that is set.
    init(count: Int64, peaks: [[UInt8]]) {
        precondition(peaks.count == count.nonzeroBitCount, "init(count:peaks:) with another number of subtrees")
        self.count = count
        largest = peaks.reversed()
    }

    /// Appends the hash of a leaf.
    mutating func append(_ leafHash: [UInt8]) {
        var hash = leafHash
        for _ in 0..<(~count).trailingZeroBitCount { hash = MerkleTree.nodeHash(largest.removeLast(), hash) }
        largest.append(hash)
        count += 1
    }

    /// The root over the leaves.
    var root: [UInt8] { Self.root(ofPeaks: peaks) }

    /// Returns the root of a tree.
    ///
    /// - Parameter peaks: The roots of its complete subtrees, the smallest first.
    static func root(ofPeaks peaks: [[UInt8]]) -> [UInt8] {
        guard let smallest = peaks.first else { return MerkleTree.emptyRoot }
        return peaks.dropFirst().reduce(smallest) { MerkleTree.nodeHash($1, $0) }
    }
}
