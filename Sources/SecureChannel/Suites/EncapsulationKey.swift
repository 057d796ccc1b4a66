internal import Crypto
internal import Primitives

/// A private key that HPKE contexts are opened with. One conformer a suite, so that the suite is a matter of the key's
/// type and a message cannot change it.
protocol EncapsulationKey: Sendable {
    /// The public key as it is given to devices.
    var publicBytes: [UInt8] { get }

    /// 32 bytes that the key can be made from again.
    func representation() -> SecretBytes

    /// Opens the context that a sender has made with the public key.
    func recipient(encapsulatedKey: [UInt8], info: [UInt8]) throws(SecureChannelError) -> HPKE.Recipient
}

/// The private key of X-Wing, which is used outside HPKE, too.
protocol HybridKey: EncapsulationKey {
    /// The secret of a ciphertext. A wrong ciphertext gives an unrelated secret, not an error.
    func decapsulate(_ ciphertext: [UInt8]) throws(SecureChannelError) -> SymmetricKey
}
