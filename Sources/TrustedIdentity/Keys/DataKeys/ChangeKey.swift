internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The key from which the platform derives the secrets of later passwords.
///
/// A device that changes its password gets a value that depends on this key: see the article "A password that cannot be
/// tested on the device".
struct ChangeKey: Sendable, Redacted {
    let key: SymmetricKey

    /// Always the same words.
    var description: String { "change key" }

    /// Returns K₁ of a later generation of a device.
    ///
    /// - Throws: `SecureChannelError` for a generation that is earlier, or more than 8 later.
    func secret(
        _ secret: SymmetricKey, from start: UInt64, to end: UInt64, device: DeviceAddress
    ) throws -> SymmetricKey {
        try PasswordGenerations.advance(secret, from: start, to: end, changeKey: key, device: device)
    }

    /// Returns δ, the difference from K₁ of a generation to that of the next one.
    func change(to generation: UInt64, from secret: SymmetricKey, device: DeviceAddress) -> SymmetricKey {
        PasswordGenerations.change(to: generation, from: secret, changeKey: key, device: device)
    }
}
