package import Crypto
internal import CryptoExtras
internal import OrchestrationProtocol
internal import Primitives

/// The wrap of the password instance's secret K₁ under the password: C = K₁ xor HKDF(scrypt(password), device secret).
///
/// C does not distinguish a right password from a wrong one: unmasking returns 32 bytes that could be K₁ for every
/// input, and only the platform can check them. Masking the same K₁ twice under different passwords, salts or costs
/// would allow such a check on the device, and must never be done.
package enum PasswordMask {
    /// Returns C for a secret.
    ///
    /// - Parameters:
    ///   - secret: K₁, 32 bytes.
    ///   - password: The password.
    ///   - salt: 32 fresh random bytes.
    ///   - cost: The cost of scrypt.
    ///   - deviceSecret: The device's secret for passwords.
    package static func mask(
        secret: SymmetricKey, password: borrowing Password, salt: [UInt8], cost: ScryptCost,
        deviceSecret: SymmetricKey
    ) async throws -> [UInt8] {
        let pad = try await pad(password: password, salt: salt, cost: cost, deviceSecret: deviceSecret)
        return secret.withSpan { secret in pad.withSpan { pad in secret.indices.map { secret[$0] ^ pad[$0] } } }
    }

    /// Returns the secret that a password unwraps. Every password unwraps a secret.
    ///
    /// - Parameter masked: C, 32 bytes.
    package static func unmask(
        masked: [UInt8], password: borrowing Password, salt: [UInt8], cost: ScryptCost, deviceSecret: SymmetricKey
    ) async throws -> SymmetricKey {
        let pad = try await pad(password: password, salt: salt, cost: cost, deviceSecret: deviceSecret)
        // K₁ is never written to a disk. In memory it must be wiped. Therefore it is not copied to an array.
        return SymmetricKey(
            pad.withSpan { pad in
                SecretBytes(count: pad.count) { secret in
                    for index in pad.indices { secret[index] = masked[index] ^ pad[index] }
                }
            })
    }

    /// Returns 32 bytes that only this password yields, with this salt, on this device.
    ///
    /// It uses the time and the memory of the cost, outside of the caller's actor.
    @concurrent package static func pad(
        password: borrowing Password, salt: [UInt8], cost: ScryptCost, deviceSecret: SymmetricKey
    ) async throws -> SymmetricKey {
        let stretched: SymmetricKey
        do {
            stretched = try password.withBytes { bytes in
                try unsafe bytes.withUnsafeBytes { bytes in
                    try unsafe KDF.Scrypt.deriveKey(
                        from: bytes, salt: salt, outputByteCount: 32, rounds: 1 << cost.logarithm,
                        blockSize: cost.blockSize, parallelism: cost.parallelism)
                }
            }
        } catch {
            // One cause is a lack of memory for the cost.
            throw OrchestrationError(.internal, underlying: error)
        }
        return unsafe deviceSecret.withUnsafeBytes { deviceSecret in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: stretched, salt: deviceSecret, info: Label.passwordPad.bytes, outputByteCount: 32)
        }
    }
}
