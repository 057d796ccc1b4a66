internal import Crypto
internal import Primitives

/// What stands in for a user, a device or a code that does not exist, so that the work is the same.
struct Decoys: Sendable {
    /// Names the decoys' rows; no device or account has such a name.
    static let row: [UInt8] = Array("decoy".utf8)
    /// The account whose failures are those of nobody. No account name is empty.
    static let account = ""

    let secrets: SealedValue
    let ratchet: SealedValue
    let activationPassword: SealedValue

    init(sealer: RowSealer, random: any RandomSource) throws {
        secrets = try sealer.seal(random.secret(96), .deviceSecrets, row: Self.row, revision: 0)
        ratchet = try sealer.seal(random.secret(64), .deviceRatchet, row: Self.row, revision: 0)
        let code = ActivationPassword.make(random: random)
        activationPassword = try sealer.seal(code.secret, .activationPassword, row: Self.row, revision: 0)
    }

    /// A verifier of a static password that nobody has.
    static func verifier(cost: ScryptCost, random: any RandomSource) -> SecretBox<SecretBytes> {
        let head = [1, UInt8(cost.logarithm), UInt8(cost.blockSize), UInt8(cost.parallelism)]
        return SecretBox(SecretBytes(copying: head + random.bytes(48)))
    }
}
