internal import Crypto
internal import Primitives

/// Sealed values in place of those of a device or an activation password that does not exist, so that the work is the
/// same.
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
        let password = ActivationPassword.make(random: random)
        activationPassword = try sealer.seal(password.secret, .activationPassword, row: Self.row, revision: 0)
    }
}
