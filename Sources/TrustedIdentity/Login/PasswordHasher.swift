internal import Crypto
internal import CryptoExtras
internal import Primitives
internal import SecureChannel
internal import Synchronization

/// Hashes static passwords, one at a time: each takes 32 MiB and 80 ms, and a flood of logins is not to take more.
///
/// Only so many wait. Whoever comes then is told to come back, which says nothing of the user: an unknown one's
/// password is hashed as well.
///
/// A verifier is version 1, the cost (3 bytes), 16 bytes of salt and 32 bytes of hash.
actor PasswordHasher {
    /// How many may wait or be hashed at once: about five seconds' worth.
    static let capacity = 64

    /// How many of them may be of one account, or of one name that is none: a flood of logins under it leaves the others
    /// their places.
    static let capacityPerAccount = 4

    private static let saltCount = 16
    private static let hashCount = 32
    private let cost: ScryptCost
    /// How many are inside, by account.
    private let inside = Mutex<[String: Int]>([:])

    init(cost: ScryptCost) { self.cost = cost }

    /// Makes the verifier of a password.
    ///
    /// - Throws: ``PlatformError`` with `busy` when too many wait.
    nonisolated func verifier(
        of password: SecretBox<SecretBytes>, salt: [UInt8], account: String
    ) async throws -> SecretBytes {
        try enter(account)
        defer { leave(account) }
        let hash = try await hash(password, salt: salt, cost: cost)
        let head = [1, UInt8(cost.logarithm), UInt8(cost.blockSize), UInt8(cost.parallelism)] + salt
        return hash.withSpan { hash in
            SecretBytes(count: head.count + hash.count) { span in
                for index in head.indices { span[index] = head[index] }
                for index in hash.indices { span[head.count + index] = hash[index] }
            }
        }
    }

    /// Whether a password is the one of a verifier.
    ///
    /// - Throws: ``PlatformError`` with `busy` when too many wait, `internal` for what is no verifier.
    nonisolated func verify(
        _ password: SecretBox<SecretBytes>, against verifier: SecretBox<SecretBytes>, account: String
    ) async throws -> Bool {
        try enter(account)
        defer { leave(account) }
        let head = 4 + Self.saltCount
        guard verifier.count == head + Self.hashCount else { throw PlatformError(.internal) }
        let (version, stored, salt) = verifier.withBytes { span in
            (
                span[0], ScryptCost(logarithm: Int(span[1]), blockSize: Int(span[2]), parallelism: Int(span[3])),
                (4..<head).map { span[$0] }
            )
        }
        // Nothing from a store is to allocate without bound, or to be checked for less than it should cost.
        guard version == 1, stored == .standard || stored == cost else { throw PlatformError(.internal) }
        let hash = try await hash(password, salt: salt, cost: stored)
        return verifier.withBytes { span in
            hash.withSpan { ConstantTime.equal($0, span.extracting(head..<span.count)) }
        }
    }

    /// On this actor, so one after the other.
    private func hash(_ password: SecretBox<SecretBytes>, salt: [UInt8], cost: ScryptCost) throws -> SymmetricKey {
        // Whoever gave up while waiting needs no answer.
        try Task.checkCancellation()
        return try password.withBytes { span in
            try unsafe span.withUnsafeBytes { bytes in
                try unsafe KDF.Scrypt.deriveKey(
                    from: bytes, salt: salt, outputByteCount: Self.hashCount, rounds: 1 << cost.logarithm,
                    blockSize: cost.blockSize, parallelism: cost.parallelism)
            }
        }
    }

    /// Takes a place, for as long as it takes until ``leave(_:)``.
    nonisolated func enter(_ account: String) throws {
        try inside.withLock { inside in
            let ofAccount = inside[account, default: 0]
            guard ofAccount < Self.capacityPerAccount, inside.values.reduce(0, +) < Self.capacity else {
                throw PlatformError(.busy)
            }
            inside[account] = ofAccount + 1
        }
    }

    /// Gives a place back.
    nonisolated func leave(_ account: String) {
        inside.withLock { inside in
            let left = inside[account, default: 1] - 1
            inside[account] = left == 0 ? nil : left
        }
    }
}
