/// What a hash of a static password costs: the parameters of scrypt (RFC 7914).
package struct PasswordHashCost: Sendable, Hashable {
    /// The base-2 logarithm of N.
    package let logN: Int
    /// The block size.
    package let r: Int
    /// The parallelism.
    package let p: Int

    /// N = 2^15, r = 8, p = 1: 32 MiB and about 80 ms.
    package static let standard = PasswordHashCost(logN: 15, r: 8, p: 1)
    /// N = 2^4: for tests, which hash often. A platform that was not told to use it refuses what was stored with it.
    package static let testing = PasswordHashCost(logN: 4, r: 8, p: 1)
}
