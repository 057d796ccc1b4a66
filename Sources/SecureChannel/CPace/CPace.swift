package import Crypto
package import Primitives

/// One side of CPACE-X25519-SHA512 (draft-irtf-cfrg-cpace-20) in its initiator-responder form.
///
/// Two sides that hold the same password end with the same 64-byte key; a side that holds another one ends with an
/// unrelated key, and has tested exactly one guess by it. Which case it is shows only when a tag under the key is
/// compared. A party is used once: finishing consumes it, and its scalar goes with it.
package struct CPaceParty: ~Copyable {
    /// Which of the two a party is. It orders the transcript, so that a message sent back to its sender is of no use.
    package enum Role: Sendable {
        case initiator
        case responder
    }

    /// What goes to the peer: Ya of the initiator, Yb of the responder; 32 bytes.
    package let share: [UInt8]

    private let role: Role
    private let sessionID: [UInt8]
    private let associatedData: [UInt8]
    private let scalar: Curve25519.KeyAgreement.PrivateKey

    /// Starts an exchange.
    ///
    /// - Parameters:
    ///   - role: who this is.
    ///   - password: the shared secret, PRS.
    ///   - channelIdentifier: CI; both sides must have the same bytes.
    ///   - sessionID: sid; both sides must have the same bytes.
    ///   - associatedData: what this side sends beside its share, ADa or ADb; it becomes part of the key.
    ///   - scalar: 32 unpredictable bytes, used for this exchange only; X25519 clamps them.
    package init(
        _ role: Role, password: borrowing SecretBytes, channelIdentifier: [UInt8], sessionID: [UInt8],
        associatedData: [UInt8], scalar: borrowing SecretBytes
    ) throws(SecureChannelError) {
        let key = try X25519.privateKey(scalar)
        let generator = CPaceGenerator.make(
            password: password, channelIdentifier: channelIdentifier, sessionID: sessionID)
        // A generator of low order cannot be met in practice (one password hash in 2^252); it would give a share of
        // zeros, and agree(_:with:) refuses it.
        let share = try generator.withBytes { span throws(SecureChannelError) in
            try X25519.agree(key, with: span)
        }
        self.share = share.withSpan { [UInt8]($0) }
        self.role = role
        self.sessionID = sessionID
        self.associatedData = associatedData
        self.scalar = key
    }

    /// Ends the exchange with what the peer sent.
    ///
    /// - Parameters:
    ///   - peerShare: the peer's 32 bytes.
    ///   - peerAssociatedData: what the peer sent beside them, as received.
    /// - Returns: the intermediate session key ISK, 64 bytes, input to a key derivation and to nothing else.
    /// - Throws: ``SecureChannelError/Code/malformed`` when the share is not of 32 bytes,
    ///   ``SecureChannelError/Code/lowOrderPoint`` when it would make the key independent of the password.
    package consuming func finish(
        peerShare: [UInt8], peerAssociatedData: [UInt8]
    ) throws(SecureChannelError) -> SymmetricKey {
        try sessionKey(peerShare: peerShare, peerAssociatedData: peerAssociatedData)
    }

    /// What ``finish(peerShare:peerAssociatedData:)`` gives, for an owner that is consumed as a whole: to consume a
    /// field of it while its other fields are read is miscompiled with optimization (Swift 6.3.1 releases them early).
    borrowing func sessionKey(
        peerShare: [UInt8], peerAssociatedData: [UInt8]
    ) throws(SecureChannelError) -> SymmetricKey {
        let secret = try X25519.agree(scalar, with: peerShare.span)
        let own = LengthValue.concatenate(share, associatedData)
        let other = LengthValue.concatenate(peerShare, peerAssociatedData)
        var hash = SHA512()
        hash.update(data: LengthValue.concatenate(CPaceGenerator.domain + Array("_ISK".utf8), sessionID))
        secret.withSpan { bytes in
            hash.update(data: LengthValue.prefix(bytes.count))
            hash.update(bytes)
        }
        hash.update(data: role == .initiator ? own + other : other + own)
        return hash.finalize().withSpan { SymmetricKey(copying: $0) }
    }
}
