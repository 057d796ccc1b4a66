internal import Crypto
internal import CryptoExtras
internal import OrchestrationProtocol
internal import Primitives
internal import Synchronization

/// The hash function for static passwords.
///
/// A hash takes 32 MiB and 80 ms. The hasher computes one at a time and limits the number of waiting callers, which
/// keeps a flood of logins from taking more. The limit does not show which users exist: the password of an unknown user
/// is hashed as well.
///
/// A verifier consists of version 1, the cost (3 bytes), 16 bytes of salt and 32 bytes of hash.
actor PasswordHasher {
    /// The maximum number of callers that wait or are served at the same time: about five seconds of work.
    static let capacity = 64

    /// The maximum number of these callers for one account name, known or not. A flood of logins for one name therefore
    /// does not keep others waiting.
    static let capacityPerAccount = 4

    private static let headCount = 4
    private static let saltCount = 16
    private static let hashCount = 32
    private let cost: ScryptCost
    /// The number of hashes that were computed.
    private(set) var computed = 0
    /// The number of callers by account name.
    private let callers = Mutex<[String: Int]>([:])

    init(cost: ScryptCost) { self.cost = cost }

    /// Creates the verifier of a password.
    ///
    /// - Throws: ``PlatformError`` with `busy` when too many callers wait.
    nonisolated func verifier(
        of password: SecretBox<SecretBytes>, salt: [UInt8], account: String
    ) async throws -> SecretBytes {
        try enter(account)
        defer { leave(account) }
        let hash = try await hashElsewhere(password, salt: salt, cost: cost)
        let head = head + salt
        return hash.withSpan { hash in
            SecretBytes(count: head.count + hash.count) { span in
                for index in head.indices { span[index] = head[index] }
                for index in hash.indices { span[head.count + index] = hash[index] }
            }
        }
    }

    /// Returns a verifier that no password matches, for a user who does not exist or has no static password.
    nonisolated func decoyVerifier(random: any RandomSource) -> SecretBox<SecretBytes> {
        SecretBox(SecretBytes(copying: head + random.bytes(Self.saltCount + Self.hashCount)))
    }

    /// Returns whether a password matches a verifier.
    ///
    /// - Throws: ``PlatformError`` with `busy` when too many callers wait, `internal` for a malformed verifier.
    nonisolated func verify(
        _ password: SecretBox<SecretBytes>, against verifier: SecretBox<SecretBytes>, account: String
    ) async throws -> Bool {
        try enter(account)
        defer { leave(account) }
        let hashStart = Self.headCount + Self.saltCount
        guard verifier.count == hashStart + Self.hashCount else { throw PlatformError(.internal) }
        let (version, stored, salt) = verifier.withBytes { span in
            (
                span[0], ScryptCost(logarithm: Int(span[1]), blockSize: Int(span[2]), parallelism: Int(span[3])),
                (Self.headCount..<hashStart).map { span[$0] }
            )
        }
        // An edited store must neither cause unbounded allocation in the hash nor lower its cost.
        guard version == 1, stored == .standard || stored == cost else { throw PlatformError(.internal) }
        let hash = try await hashElsewhere(password, salt: salt, cost: stored)
        return verifier.withBytes { span in
            hash.withSpan { ConstantTime.equal($0, span.extracting(hashStart..<span.count)) }
        }
    }

    /// The version and the cost of a new verifier.
    private nonisolated var head: [UInt8] {
        [1, UInt8(cost.logarithm), UInt8(cost.blockSize), UInt8(cost.parallelism)]
    }

    /// Computes a hash on a thread of the process, even for a caller with a custom executor. That executor may be the
    /// thread of many connections.
    private nonisolated func hashElsewhere(
        _ password: SecretBox<SecretBytes>, salt: [UInt8], cost: ScryptCost
    ) async throws -> SymmetricKey {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await hash(password, salt: salt, cost: cost)
        }
    }

    /// Computes one hash at a time, because it is isolated to this actor.
    private func hash(_ password: SecretBox<SecretBytes>, salt: [UInt8], cost: ScryptCost) throws -> SymmetricKey {
        // A caller that was canceled while it waited needs no result.
        try Task.checkCancellation()
        computed += 1
        return try password.withBytes { span in
            try unsafe span.withUnsafeBytes { bytes in
                try unsafe KDF.Scrypt.deriveKey(
                    from: bytes, salt: salt, outputByteCount: Self.hashCount, rounds: 1 << cost.logarithm,
                    blockSize: cost.blockSize, parallelism: cost.parallelism)
            }
        }
    }

    /// Counts a caller until ``leave(_:)``.
    ///
    /// - Throws: ``PlatformError`` with `busy` over one of the limits.
    nonisolated func enter(_ account: String) throws {
        try callers.withLock { callers in
            let ofAccount = callers[account, default: 0]
            guard ofAccount < Self.capacityPerAccount, callers.values.reduce(0, +) < Self.capacity else {
                throw PlatformError(.busy)
            }
            callers[account] = ofAccount + 1
        }
    }

    /// Ends the count of a caller.
    nonisolated func leave(_ account: String) {
        callers.withLock { callers in
            let left = callers[account, default: 1] - 1
            callers[account] = left == 0 ? nil : left
        }
    }
}
