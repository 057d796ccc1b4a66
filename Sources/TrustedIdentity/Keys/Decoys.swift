internal import Primitives
internal import SecureChannel
internal import Synchronization

/// A sealed activation password in place of one that does not exist. The key exchange with it does the same work and
/// never succeeds.
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

/// The decoys of a running platform. They are sealed under its present master key, as its rows are.
final class DecoyBox: Sendable {
    private let present: Mutex<Decoys>

    init(_ decoys: Decoys) { present = Mutex(decoys) }

    /// The decoys at this moment.
    var decoys: Decoys { present.withLock { $0 } }

    func replace(by decoys: Decoys) { present.withLock { $0 = decoys } }
}

extension Platform {
    /// The decoys at this moment.
    var decoys: Decoys { decoyBox.decoys }
}
