package import Crypto
internal import Primitives

/// The secrets of the password instance, K₁, from one generation to the next.
///
/// A password change wraps another secret: K₁ of the next generation is K₁ xor δ, where δ is random. The wraps of two
/// generations therefore cannot be used to check either password.
package enum PasswordGenerations {
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
}
