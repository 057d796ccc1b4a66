package import Crypto
package import Primitives

/// The secrets of the password instance, K₁, from one generation to the next.
///
/// A change of password wraps another secret: K₁ of the next generation is K₁ xor δ. The wraps of two generations are
/// therefore no check value for either password.
package enum PasswordGenerations {
    /// The number of generations by which a restored platform rolls forward at most.
    package static let longestAdvance: UInt64 = 8

    /// Returns δ, the difference from the generation before to a generation: HKDF-SHA256 with ikm = change key, salt =
    /// K₁ of the generation before and `info` = label ‖ CBOR `[tenant, deviceID, 1, generation]`.
    ///
    /// - Parameters:
    ///   - generation: The later generation.
    ///   - secret: K₁ of the generation before.
    ///   - changeKey: The platform's change key, 32 bytes.
    /// - Returns: 32 bytes.
    package static func change(
        to generation: UInt64, from secret: SymmetricKey, changeKey: SymmetricKey, device: DeviceAddress
    ) -> SymmetricKey {
        var writer = CBORWriter()
        writer.array(4)
        writer.text(device.tenant)
        writer.bytes(device.id)
        writer.unsigned(UInt64(Instance.password.rawValue))
        writer.unsigned(generation)
        return KeyDerivation<SHA256>.deriveKey(
            changeKey, salt: secret, as: .passwordChange, context: writer.finish())
    }

    /// Returns K₁ of the next generation: K₁ xor δ.
    package static func applying(_ change: SymmetricKey, to secret: SymmetricKey) -> SymmetricKey {
        SymmetricKey(
            secret.withSpan { secret in
                change.withSpan { change in
                    SecretBytes(count: secret.count) { next in
                        for index in secret.indices { next[index] = secret[index] ^ change[index] }
                    }
                }
            })
    }

    /// Returns K₁ of a later generation.
    ///
    /// - Parameter start: The generation of `secret`; at most ``longestAdvance`` below `end`.
    /// - Throws: ``SecureChannelError/Code/ratchetOutOfRange`` if the end is before the start, or too far after it.
    package static func advance(
        _ secret: SymmetricKey, from start: UInt64, to end: UInt64, changeKey: SymmetricKey, device: DeviceAddress
    ) throws(SecureChannelError) -> SymmetricKey {
        guard end >= start, end - start <= longestAdvance else {
            throw SecureChannelError(
                .ratchetOutOfRange, blame: .peer, "the generation cannot move back or that far")
        }
        var (secret, generation) = (secret, start)
        while generation < end {
            generation += 1
            let change = change(to: generation, from: secret, changeKey: changeKey, device: device)
            secret = applying(change, to: secret)
        }
        return secret
    }
}
