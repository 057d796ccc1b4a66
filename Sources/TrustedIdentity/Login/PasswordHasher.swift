internal import Crypto
internal import CryptoExtras
internal import Primitives

/// Hashes static passwords, one at a time: each takes 32 MiB and 80 ms, and a flood of logins is not to take more.
///
/// A verifier is version 1, the cost (3 bytes), 16 bytes of salt and 32 bytes of hash.
actor PasswordHasher {
    private static let saltCount = 16
    private static let hashCount = 32
    private let cost: PasswordHashCost

    init(cost: PasswordHashCost) { self.cost = cost }

    /// Makes the verifier of a password.
    func verifier(of password: TypedSecret, salt: [UInt8]) throws -> SecretBytes {
        let hash = try Self.hash(password, salt: salt, cost: cost)
        let head = [1, UInt8(cost.logN), UInt8(cost.r), UInt8(cost.p)]
        return SecretBytes(copying: head + salt + hash)
    }

    /// Whether a password is the one of a verifier. Anything that is no verifier is hashed against all the same.
    func verify(_ password: TypedSecret, against verifier: TypedSecret) throws -> Bool {
        let bytes = verifier.withBytes { span in span.indices.map { span[$0] } }
        guard bytes.count == 4 + Self.saltCount + Self.hashCount, bytes[0] == 1 else {
            throw PlatformError(.internal)
        }
        let stored = PasswordHashCost(logN: Int(bytes[1]), r: Int(bytes[2]), p: Int(bytes[3]))
        guard stored.isAllowed else { throw PlatformError(.internal) }
        let hash = try Self.hash(password, salt: Array(bytes[4..<4 + Self.saltCount]), cost: stored)
        return ConstantTime.equal(hash, Array(bytes[(4 + Self.saltCount)...]))
    }

    private static func hash(_ password: TypedSecret, salt: [UInt8], cost: PasswordHashCost) throws -> [UInt8] {
        let bytes = password.withBytes { span in span.indices.map { span[$0] } }
        let key = try KDF.Scrypt.deriveKey(
            from: bytes, salt: salt, outputByteCount: hashCount, rounds: 1 << cost.logN, blockSize: cost.r,
            parallelism: cost.p)
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}
