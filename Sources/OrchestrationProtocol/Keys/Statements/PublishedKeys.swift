internal import Primitives

/// The published keys of a platform, with which a third party verifies signatures from any time.
///
/// A receipt is signed by a key that was in use when it was made. The key may since have been replaced, and its private
/// half may be erased; the statements list it forever.
///
/// A fingerprint that the operator of the platform confirmed vouches for its statement and all previous ones, because
/// each statement contains the hash of the previous one. It does not vouch for later ones. If you know only the
/// fingerprint of statement 1, a thief of a replaced key can continue an old statement with their own keys. Take the
/// statements from the platform over TLS, or pin the fingerprint of a recent statement.
public struct PublishedKeys: Sendable {
    /// The signing keys with the validity in the last statement that lists them.
    private let signing: [[UInt8]: StatedKey]
    /// The fingerprint of statement 1, which identifies the platform's audit log.
    package let firstFingerprint: [UInt8]
    /// The Ed25519 public keys that have signed checkpoints of the audit log, 32 bytes each, in ascending order.
    package let auditKeys: [[UInt8]]

    /// Creates the keys of statements.
    ///
    /// - Parameters:
    ///   - statements: All statements from the first one on, in ascending order.
    ///   - fingerprint: The ``KeyStatement/fingerprint`` of any statement of the list, preferably the latest one that
    ///     the platform's operator confirmed. Its source must not be the source of the statements. `nil` if the
    ///     statements themselves come from the operator.
    /// - Throws: ``SecureChannelError/Code/wrongKey`` if no statement has the fingerprint,
    ///   ``SecureChannelError/Code/statementGap`` for an empty list or one that does not begin at 1,
    ///   ``SecureChannelError/Code/statementKeys`` if a key is listed again with a longer validity, and the errors of
    ///   ``KeyStatement/verified(following:suite:)``.
    package init(statements: [SignatureList], fingerprint: [UInt8]?) throws(SecureChannelError) {
        guard let first = statements.first else {
            throw SecureChannelError(.statementGap, blame: .peer, "there is no key statement")
        }
        var latest = try KeyStatement.verified(first: first, suite: nil)
        guard latest.sequence == 1 else {
            throw SecureChannelError(.statementGap, blame: .peer, "the first key statement is missing")
        }
        var isKnown = fingerprint.map { latest.fingerprint == $0 } ?? true
        var signing = latest.signingKeys
        var audit = Set(latest.auditKeys)
        firstFingerprint = latest.fingerprint
        for statement in statements.dropFirst() {
            latest = try latest.verified(following: [statement], suite: nil)
            isKnown = isKnown || latest.fingerprint == fingerprint
            audit.formUnion(latest.auditKeys)
            for (kid, key) in latest.signingKeys {
                // The previous statement may have omitted a key.
                guard signing[kid].map(key.isConsistent(with:)) ?? true else {
                    throw SecureChannelError(
                        .statementKeys, blame: .peer, "a key statement changes or extends the validity of a known key")
                }
                signing[kid] = key
            }
        }
        guard isKnown else {
            throw SecureChannelError(.wrongKey, blame: .peer, "no key statement has the expected fingerprint")
        }
        self.signing = signing
        auditKeys = audit.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension PublishedKeys: SigningKeySource {
    /// Returns the signing key that a signature names.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongKey`` if no statement lists it with the algorithm of the signature.
    package func signer(of message: Sign1) throws(SecureChannelError) -> StatedKey {
        guard let kid = message.header.keyID, let key = signing[kid],
            key.algorithm == message.header.algorithm.rawValue
        else { throw SecureChannelError(.wrongKey, blame: .peer, "no published key has signed") }
        return key
    }
}

extension KeyStatement {
    /// The signing keys that this library verifies with, by id.
    fileprivate var signingKeys: [[UInt8]: StatedKey] {
        let keys = keys.filter { $0.use == .signing && $0.algorithm == COSEAlgorithm.ed25519.rawValue }
        return Dictionary(uniqueKeysWithValues: keys.map { ($0.kid, $0) })
    }

    /// The keys that sign checkpoints of the audit log.
    fileprivate var auditKeys: [[UInt8]] {
        keys.filter { $0.use == .audit && $0.algorithm == COSEAlgorithm.ed25519.rawValue }.map(\.bytes)
    }
}
