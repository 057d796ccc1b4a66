internal import Crypto
internal import Primitives

/// Sealed values in place of those of a user, a device or a code that does not exist, so that the work is the same.
struct Decoys: Sendable {
    /// The name of the decoys' rows. No device and no account has this name.
    static let row: [UInt8] = Array("decoy".utf8)
    /// The account that counts the failures for accounts that do not exist. No account name is empty.
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

    /// Returns the verifier of a password that does not exist.
    static func verifier(cost: ScryptCost, random: any RandomSource) -> SecretBox<SecretBytes> {
        let head = [1, UInt8(cost.logarithm), UInt8(cost.blockSize), UInt8(cost.parallelism)]
        return SecretBox(SecretBytes(copying: head + random.bytes(48)))
    }
}
