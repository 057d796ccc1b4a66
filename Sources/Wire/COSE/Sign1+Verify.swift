internal import Crypto
internal import Primitives

extension Sign1 {
    /// Verifies the signature of the platform.
    ///
    /// - Parameter publicKey: the 32 bytes of an Ed25519 public key.
    /// - Returns: the payload, which the owner of the key has signed.
    /// - Throws: `unsupportedAlgorithm` when the header names another algorithm, `invalidKey` for bytes that are no
    ///   key, `invalidSignature`.
    @discardableResult
    package func verify(ed25519 publicKey: [UInt8], externalAAD: [UInt8]) throws(WireError) -> [UInt8] {
        guard header.algorithm == .ed25519 else { throw WireError(.unsupportedAlgorithm) }
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else {
            throw WireError(.invalidKey, blame: .caller)
        }
        guard key.isValidSignature(signature, for: signedBytes(externalAAD: externalAAD)) else {
            throw WireError(.invalidSignature)
        }
        return payload
    }

    /// Verifies the signature of a device.
    ///
    /// - Parameter publicKey: the 33 bytes of a compressed P-256 public key.
    /// - Returns: the payload, which the owner of the key has signed.
    /// - Throws: `unsupportedAlgorithm` when the header names another algorithm, `invalidKey` for bytes that are no
    ///   key, `invalidSignature`.
    @discardableResult
    package func verify(p256 publicKey: [UInt8], externalAAD: [UInt8]) throws(WireError) -> [UInt8] {
        guard header.algorithm == .esp256 else { throw WireError(.unsupportedAlgorithm) }
        guard let key = try? P256.Signing.PublicKey(compressedRepresentation: publicKey) else {
            throw WireError(.invalidKey, blame: .caller)
        }
        guard
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: signedBytes(externalAAD: externalAAD))
        else { throw WireError(.invalidSignature) }
        return payload
    }
}
