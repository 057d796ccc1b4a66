/// The cost parameters of scrypt (RFC 7914, section 2).
///
/// A stored hash names its cost. Readers compare the cost with a list of allowed costs: an edited file can neither
/// lower it nor cause an unbounded allocation.
public struct ScryptCost: Sendable, Hashable {
    /// The binary logarithm of the cost parameter N.
    package let logarithm: Int

    /// The block size r.
    package let blockSize: Int

    /// The parallelization parameter p.
    package let parallelism: Int

    /// N = 2^15, r = 8, p = 1: 32 MiB and about 80 ms.
    public static let standard = ScryptCost(logarithm: 15, blockSize: 8, parallelism: 1)

    /// N = 2^17, r = 8, p = 1: 128 MiB and about 350 ms.
    public static let high = ScryptCost(logarithm: 17, blockSize: 8, parallelism: 1)

    /// N = 2^4, r = 1, p = 1, for tests that hash thousands of passwords. No list of released costs contains it.
    package static let testing = ScryptCost(logarithm: 4, blockSize: 1, parallelism: 1)

    /// The costs that a device reads from a record outside tests.
    package static let released: Set<ScryptCost> = [.standard, .high]

    package init(logarithm: Int, blockSize: Int, parallelism: Int) {
        self.logarithm = logarithm
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}
