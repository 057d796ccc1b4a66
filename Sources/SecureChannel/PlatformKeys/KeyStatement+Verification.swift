internal import Crypto
internal import Primitives
package import Wire

// The signatures of statements. Nothing of a statement is used before its signatures were verified.
extension KeyStatement {
    /// Signs the statement.
    ///
    /// - Parameter keys: Signing keys that both the statement before and this one list, at least one.
    package func signed(with keys: [SigningKeyPair]) throws -> SignatureList {
        let payload = encoded
        return try SignatureList(keys.map { try $0.sign(payload, externalAAD: Self.externalAAD) })
    }

    /// The SHA-256 of the payload, by which an administrator compares the first statement with a published one.
    package var fingerprint: [UInt8] { SHA256.hash(data: encoded).withSpan { [UInt8]($0) } }

    /// Verifies a statement that arrived under a seal, or whose fingerprint is known: it is signed by a key that it lists.
    ///
    /// - Parameter suite: The suite that must have a sealing key; `nil` for none.
    /// - Throws: ``SecureChannelError/Code/malformed``, ``SecureChannelError/Code/wrongKey``,
    ///   ``SecureChannelError/Code/noUsableKey``, ``SecureChannelError/Code/statementSigner``,
    ///   ``SecureChannelError/Code/notAuthentic``.
    package static func verified(
        first signatures: SignatureList, suite: Suite?
    ) throws(SecureChannelError) -> KeyStatement {
        let statement = try KeyStatement(opened: signatures.payload)
        try statement.requireUsable(for: suite)
        try statement.verify(signatures, by: statement)
        return statement
    }

    /// Verifies the statements that follow this one.
    ///
    /// 1. The numbers have no gap. Statements up to this one are passed over; one with its number must be this one. A
    ///    list may end before it: a restored platform does not know which statements the device has.
    /// 2. Each statement is signed by a signing key that the statement before and the statement itself list.
    /// 3. Each lists a sealing key of the suite, and no key under the id of another.
    ///
    /// - Parameters:
    ///   - list: The signatures over each statement, in ascending order.
    ///   - suite: The suite that must have a sealing key; `nil` for none.
    /// - Returns: The last statement; this one for an empty list.
    /// - Throws: ``SecureChannelError/Code/statementGap``, ``SecureChannelError/Code/statementRollback``,
    ///   ``SecureChannelError/Code/statementSigner``, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/wrongKey``, ``SecureChannelError/Code/noUsableKey``,
    ///   ``SecureChannelError/Code/malformed``.
    package func verified(
        following list: [SignatureList], suite: Suite?
    ) throws(SecureChannelError) -> KeyStatement {
        var (latest, number) = (self, UInt64?.none)
        for signatures in list {
            let next = try KeyStatement(opened: signatures.payload)
            guard number.map({ next.sequence == $0 + 1 }) ?? (next.sequence <= sequence + 1) else {
                throw SecureChannelError(.statementGap, blame: .peer, "a key statement is missing")
            }
            number = next.sequence
            guard next.sequence >= sequence else { continue }
            guard next.sequence > sequence else {
                guard next == self else {
                    throw SecureChannelError(
                        .statementRollback, blame: .peer, "a key statement differs from the one with its number")
                }
                continue
            }
            try next.requireUsable(for: suite)
            try next.verify(signatures, by: latest)
            latest = next
        }
        return latest
    }

    /// Verifies every signature of a known algorithm by a key that a statement and this one list.
    private func verify(
        _ signatures: SignatureList, by before: KeyStatement
    ) throws(SecureChannelError) {
        for signature in signatures.signatures {
            guard let key = try? before.signer(of: signature), (try? signer(of: signature)) != nil else {
                throw SecureChannelError(
                    .statementSigner, blame: .peer, "a key statement is not signed by a key of the one before")
            }
            try signature.requireHeader(keyID: key.kid)
            do throws(WireError) {
                try signature.verify(ed25519: key.bytes, externalAAD: Self.externalAAD)
            } catch {
                throw SecureChannelError(
                    .notAuthentic, blame: .peer, "the signature of a key statement is not valid", underlying: error)
            }
        }
    }
}
