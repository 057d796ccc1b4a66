package import Primitives

/// A source of the keys with which the platform signed: the latest statement of a device, or all published ones.
package protocol SigningKeySource: Sendable {
    /// Returns the signing key that a signature names.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongKey`` if no key has the algorithm of the signature.
    func signer(of message: Sign1) throws(SecureChannelError) -> StatedKey
}

extension SigningKeySource {
    /// Verifies a signature of the platform.
    ///
    /// 1. The key is listed.
    /// 2. It was valid at the time that the payload names, within ``KeyStatement/tolerance``. A replaced key does not
    ///    vouch for anything with a later date.
    /// 3. The header contains only the algorithm and the key.
    /// 4. The signature verifies. It also covers the label of the payload's kind.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongKey``, ``SecureChannelError/Code/keyNotValid``,
    ///   ``SecureChannelError/Code/malformed`` for another header, ``SecureChannelError/Code/notAuthentic``.
    package func verify(
        _ message: Sign1, externalAAD: [UInt8], at time: Timestamp
    ) throws(SecureChannelError) {
        let key = try signer(of: message)
        guard key.isValid(at: time, tolerance: KeyStatement.tolerance) else {
            throw SecureChannelError(.keyNotValid, blame: .peer, "the key was not in use at the time of the message")
        }
        try message.requireHeader(keyID: key.kid)
        do throws(WireError) {
            try message.verify(ed25519: key.bytes, externalAAD: externalAAD)
        } catch {
            throw SecureChannelError(
                .notAuthentic, blame: .peer, "a signature of the platform is not valid", underlying: error)
        }
    }

    /// Verifies every signature of a list whose algorithm this library knows.
    ///
    /// - Parameters:
    ///   - signatures: The signatures, as they were received.
    ///   - externalAAD: The external associated data of the payload's kind.
    ///   - time: The time that the payload names. It may be outside the validity of the key by
    ///     ``KeyStatement/tolerance``, as on a device.
    /// - Returns: The algorithms of the signatures that were not checked, because this library does not know them.
    /// - Throws: ``SecureChannelError/Code/wrongKey`` for a key that is not listed,
    ///   ``SecureChannelError/Code/keyNotValid`` for a time outside its validity,
    ///   ``SecureChannelError/Code/notAuthentic``, ``SecureChannelError/Code/malformed`` for another header.
    @discardableResult
    package func verify(
        _ signatures: SignatureList, externalAAD: [UInt8], at time: Timestamp
    ) throws(SecureChannelError) -> [COSEAlgorithm] {
        for signature in signatures.signatures { try verify(signature, externalAAD: externalAAD, at: time) }
        return signatures.uncheckedAlgorithms
    }
}

extension KeyStatement: SigningKeySource {}
