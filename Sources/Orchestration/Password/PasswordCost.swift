/// What one guess of a password costs with scrypt (RFC 7914): time and memory.
///
/// The cost is stored with the record and compared with a list of allowed ones when it is read, so that nobody can
/// lower it by changing a file.
public struct PasswordCost: Sendable, Hashable {
    /// The binary logarithm of scrypt's N.
    package let logarithm: Int

    /// scrypt's r.
    package let blockSize: Int

    /// scrypt's p.
    package let parallelism: Int

    /// N = 2^15, r = 8, p = 1: 32 MiB and about 80 ms.
    public static let standard = PasswordCost(logarithm: 15, blockSize: 8, parallelism: 1)

    /// N = 2^17, r = 8, p = 1: 128 MiB and about 350 ms.
    public static let high = PasswordCost(logarithm: 17, blockSize: 8, parallelism: 1)

    /// N = 2^4, r = 1, p = 1, for tests that make thousands of guesses. No released list allows it.
    package static let testing = PasswordCost(logarithm: 4, blockSize: 1, parallelism: 1)

    /// The costs that are taken from a record outside tests.
    package static let released: Set<PasswordCost> = [.standard, .high]

    package init(logarithm: Int, blockSize: Int, parallelism: Int) {
        self.logarithm = logarithm
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}
