internal import Primitives

/// The published keys of a platform, by which a third party verifies signatures of any time.
///
/// A receipt is signed by a key that was in use when it was made. The key may have a successor since, and its private
/// half may be erased; the statements list it forever.
///
/// A fingerprint that the operator of the platform confirmed vouches for its statement and for all earlier ones,
/// because each statement has the hash of the one before. It does not vouch for later ones. With the fingerprint of
/// statement 1 alone, a thief of a key that has been replaced since can go on from an old statement with keys of their
/// own. Take the statements from the platform over TLS, or pin the fingerprint of a recent statement.
public struct PublishedKeys: Sendable {
    /// The signing keys with the validity that the last statement with each of them gives.
    private let signing: [[UInt8]: StatedKey]
    /// The fingerprint of statement 1, by which the audit log of the platform is named.
    package let firstFingerprint: [UInt8]
    /// The Ed25519 public keys that have signed checkpoints of the audit log, 32 bytes each, in ascending order.
    package let auditKeys: [[UInt8]]

    /// Creates the keys of statements.
    ///
    /// - Parameters:
    ///   - statements: All statements from the first one on, in ascending order.
    ///   - fingerprint: The ``KeyStatement/fingerprint`` of any statement of the list, best the latest that the
    ///     operator of the platform confirmed. It does not come from where the statements come from. `nil` if the
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
                // A key may have been left out of the statement before.
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
    /// The signing keys that this library verifies with, by their ids.
    fileprivate var signingKeys: [[UInt8]: StatedKey] {
        let keys = keys.filter { $0.use == .signing && $0.algorithm == COSEAlgorithm.ed25519.rawValue }
        return Dictionary(uniqueKeysWithValues: keys.map { ($0.kid, $0) })
    }

    /// The keys that sign checkpoints of the audit log.
    fileprivate var auditKeys: [[UInt8]] {
        keys.filter { $0.use == .audit && $0.algorithm == COSEAlgorithm.ed25519.rawValue }.map(\.bytes)
    }
}
