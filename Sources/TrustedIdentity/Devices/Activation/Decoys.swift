internal import OrchestrationProtocol
internal import Primitives

/// A sealed activation password that replaces a missing one. The key exchange with it does the same work and never
/// succeeds.
struct Decoys: Sendable {
    /// The name of the decoy's row. No activation password has this name.
    static let row: [UInt8] = Array("decoy keys' row!".utf8)
    /// The account of the decoy. No account name is empty.
    static let account = ""

    let activationPassword: SealedValue

    init(sealer: RowSealer, random: any RandomSource) throws {
        activationPassword = try sealer.seal(
            ActivationPassword.make(random: random).secret, .activationPassword, row: Self.row,
            owner: RowOwner(account: Self.account), revision: 0)
    }
}
