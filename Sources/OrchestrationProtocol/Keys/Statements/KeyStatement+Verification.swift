internal import Crypto
internal import Primitives

// The signatures of statements. No part of a statement is used before its signatures are verified.
extension KeyStatement {
    /// Signs the statement.
    ///
    /// - Parameter keys: Signing keys that both the previous statement and this one list, at least one.
    package func signed(with keys: [SigningKeyPair]) throws -> SignatureList {
        let payload = encoded
        return try SignatureList(keys.map { try $0.sign(payload, externalAAD: Self.externalAAD) })
    }

    /// The SHA-256 of the payload. The next statement contains it, and an administrator compares it with a published
    /// one.
    package var fingerprint: [UInt8] { SHA256.hash(data: encoded).withSpan { [UInt8]($0) } }

    /// Verifies a statement that was received sealed, or whose fingerprint is known. It must be signed by a key that it
    /// lists. The key of statement 1 must be valid at its time. Any other statement is signed by a key of the previous
    /// one.
    ///
    /// - Parameter suite: The suite that must have a sealing key; `nil` for none.
    /// - Throws: ``SecureChannelError/Code/malformed``, ``SecureChannelError/Code/wrongKey``,
    ///   ``SecureChannelError/Code/noUsableKey``, ``SecureChannelError/Code/statementSigner``,
    ///   ``SecureChannelError/Code/keyNotValid``, ``SecureChannelError/Code/notAuthentic``.
    package static func verified(
        first signatures: SignatureList, suite: Suite?
    ) throws(SecureChannelError) -> KeyStatement {
        let statement = try KeyStatement(opened: signatures.payload)
        try statement.requireUsable(for: suite)
        try statement.verify(signatures, by: statement, requiringValidity: statement.sequence == 1)
        return statement
    }

    /// Verifies the statements that follow this one.
    ///
    /// 1. The numbers have no gap. Statements up to this one are skipped; a statement with its number must be this one.
    ///    A list may end before this statement, because a restored platform does not know which statements the device
    ///    has.
    /// 2. Each contains the hash of the previous one and a later time, and does not extend the validity of a known key.
    /// 3. Each is signed by a signing key that the previous statement and the statement itself list, and that is valid
    ///    at its time according to the previous statement.
    /// 4. Each lists a sealing key of the suite, and no key with the id of another.
    ///
    /// - Parameters:
    ///   - list: The signatures over each statement, in ascending order.
    ///   - suite: The suite that must have a sealing key; `nil` for none.
    /// - Returns: The last statement; this one for an empty list.
    /// - Throws: ``SecureChannelError/Code/statementGap``, ``SecureChannelError/Code/statementRollback``,
    ///   ``SecureChannelError/Code/statementFork``, ``SecureChannelError/Code/statementTime``,
    ///   ``SecureChannelError/Code/statementKeys``, ``SecureChannelError/Code/statementSigner``,
    ///   ``SecureChannelError/Code/keyNotValid``, ``SecureChannelError/Code/notAuthentic``,
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
            try next.requireSuccession(of: latest)
            try next.requireUsable(for: suite)
            try next.verify(signatures, by: latest, requiringValidity: true)
            latest = next
        }
        return latest
    }

    /// Checks this statement against the previous one and its keys.
    ///
    /// 1. The hash is the previous statement's hash. A thief of a key cannot continue from another statement with this
    ///    number.
    /// 2. The time is later. A key that had ended when the previous statement was made therefore can no longer sign.
    /// 3. Known keys keep their use, algorithm and start, and their validity is not extended.
    private func requireSuccession(of before: KeyStatement) throws(SecureChannelError) {
        guard previous == before.fingerprint else {
            throw SecureChannelError(.statementFork, blame: .peer, "a key statement follows another statement")
        }
        guard time > before.time else {
            throw SecureChannelError(
                .statementTime, blame: .peer, "a key statement is not later than the one before")
        }
        for known in before.keys {
            guard let key = keys.first(where: { $0.kid == known.kid }) else { continue }
            guard key.isConsistent(with: known) else {
                throw SecureChannelError(
                    .statementKeys, blame: .peer, "a key statement changes or extends the validity of a known key")
            }
        }
    }

    /// Verifies every signature of a known algorithm by a key that a statement and this one list.
    ///
    /// - Parameter requiringValidity: Whether the key must be valid, according to the other statement, at the time of
    ///   this one. Statements continue to list keys that have ended, and a stolen key must not sign.
    private func verify(
        _ signatures: SignatureList, by before: KeyStatement, requiringValidity: Bool
    ) throws(SecureChannelError) {
        for signature in signatures.signatures {
            guard let key = try? before.signer(of: signature), (try? signer(of: signature)) != nil else {
                throw SecureChannelError(
                    .statementSigner, blame: .peer, "a key statement is not signed by a key of the one before")
            }
            guard !requiringValidity || key.isValid(at: time) else {
                throw SecureChannelError(
                    .keyNotValid, blame: .peer, "a key statement is signed by a key that was not in use")
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

extension StatedKey {
    /// Whether a later statement may list the key in this way: its end is set or becomes earlier, and nothing else
    /// changes.
    ///
    /// - Parameter known: The key in a previous statement.
    func isConsistent(with known: StatedKey) -> Bool {
        guard use == known.use, algorithm == known.algorithm, notBefore == known.notBefore else { return false }
        guard let end = known.notAfter else { return true }
        return notAfter.map { $0 <= end } ?? false
    }
}
