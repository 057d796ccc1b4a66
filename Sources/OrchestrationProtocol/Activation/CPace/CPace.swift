package import Crypto
package import Primitives

/// One side of CPACE-X25519-SHA512 (draft-irtf-cfrg-cpace-20) in its initiator-responder form.
///
/// Two sides with the same password derive the same 64-byte key. A side with another password derives an unrelated key
/// and has tested exactly one guess. Only a comparison of tags under the key distinguishes the cases. A party is used
/// once: finishing consumes it together with its scalar.
package struct CPaceParty: ~Copyable {
    /// The role of a party. It orders the transcript, which means that a message sent back to its sender is useless.
    package enum Role: Sendable {
        case initiator
        case responder
    }

    /// The share for the peer: Ya of the initiator, Yb of the responder; 32 bytes.
    package let share: [UInt8]

    private let role: Role
    private let sessionID: [UInt8]
    private let associatedData: [UInt8]
    private let scalar: Curve25519.KeyAgreement.PrivateKey

    /// Starts an exchange.
    ///
    /// - Parameters:
    ///   - role: The role of this party.
    ///   - password: The shared secret, PRS.
    ///   - channelIdentifier: CI; both sides must use the same bytes.
    ///   - sessionID: The session id, sid; both sides must use the same bytes.
    ///   - associatedData: The data that this side sends with its share, ADa or ADb; the key depends on it.
    ///   - scalar: 32 unpredictable bytes, used for this exchange only; X25519 clamps them.
    package init(
        _ role: Role, password: borrowing SecretBytes, channelIdentifier: [UInt8], sessionID: [UInt8],
        associatedData: [UInt8], scalar: borrowing SecretBytes
    ) throws(SecureChannelError) {
        let key = try X25519.privateKey(scalar)
        let generator = CPaceGenerator.make(
            password: password, channelIdentifier: channelIdentifier, sessionID: sessionID)
        // A generator of low order does not occur in practice (one password hash in 2^252). Its share would be zero,
        // which agree(_:with:) refuses.
        let share = try generator.withBytes { span throws(SecureChannelError) in
            try X25519.agree(key, with: span)
        }
        self.share = share.withSpan { [UInt8]($0) }
        self.role = role
        self.sessionID = sessionID
        self.associatedData = associatedData
        self.scalar = key
    }

    /// Ends the exchange with the peer's share.
    ///
    /// - Parameters:
    ///   - peerShare: The peer's 32 bytes.
    ///   - peerAssociatedData: The data that came with the share, as received.
    /// - Returns: The intermediate session key ISK, 64 bytes. It is the input of a key derivation only.
    /// - Throws: ``SecureChannelError/Code/malformed`` if the share does not have 32 bytes,
    ///   ``SecureChannelError/Code/lowOrderPoint`` if the share makes the key independent of the password.
    package consuming func finish(
        peerShare: [UInt8], peerAssociatedData: [UInt8]
    ) throws(SecureChannelError) -> SymmetricKey {
        try sessionKey(peerShare: peerShare, peerAssociatedData: peerAssociatedData)
    }

    /// Performs ``finish(peerShare:peerAssociatedData:)`` for an owner that is consumed as a whole. Consuming a field
    /// while other fields are read is miscompiled with optimization (Swift 6.3.1 releases them early).
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

/// The generator of one exchange: a point that is a function of the password (draft-irtf-cfrg-cpace-20, section 7.2).
package enum CPaceGenerator {
    /// The domain separation string of CPACE-X25519-SHA512.
    static let domain = Array("CPace255".utf8)

    /// The block size of SHA-512. Zeros fill the first block after the password. This makes the time of the hash and
    /// the position of the following fields independent of the password's length.
    private static let hashBlockSize = 128

    /// Computes the generator.
    ///
    /// - Parameters:
    ///   - password: The shared low-entropy secret, PRS.
    ///   - channelIdentifier: The identities of both sides, CI.
    ///   - sessionID: The id of the exchange, sid.
    /// - Returns: A u-coordinate, 32 bytes.
    package static func make(
        password: borrowing SecretBytes, channelIdentifier: [UInt8], sessionID: [UInt8]
    ) -> SecretBytes {
        let domainField = LengthValue.concatenate(domain)
        let passwordPrefix = LengthValue.prefix(password.count)
        let padding = max(0, hashBlockSize - domainField.count - passwordPrefix.count - password.count - 1)
        var hash = SHA512()
        hash.update(data: domainField)
        hash.update(data: passwordPrefix)
        password.withBytes { hash.update($0) }
        hash.update(
            data: LengthValue.concatenate([UInt8](repeating: 0, count: padding), channelIdentifier, sessionID))
        return hash.finalize().withSpan { Elligator2.uCoordinate(from: $0.extracting(0..<32)) }
    }
}

/// The injective concatenation of the draft: each string follows its length (draft-irtf-cfrg-cpace-20, appendix A.1).
package enum LengthValue {
    /// Returns a length as unsigned LEB128: seven bits a byte, least significant first, with the high bit set on all
    /// bytes but the last.
    package static func prefix(_ count: Int) -> [UInt8] {
        var remaining = UInt(count)
        var bytes: [UInt8] = []
        while remaining >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
            remaining >>= 7
        }
        bytes.append(UInt8(remaining))
        return bytes
    }

    /// Returns the strings in order, each after its length (`lv_cat` of the draft).
    package static func concatenate(_ strings: [UInt8]...) -> [UInt8] {
        var bytes: [UInt8] = []
        for string in strings {
            bytes += prefix(string.count)
            bytes += string
        }
        return bytes
    }
}
