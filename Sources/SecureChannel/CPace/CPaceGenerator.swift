internal import Crypto
package import Primitives

/// The generator of one exchange: a point that is a function of the password (draft-irtf-cfrg-cpace-20 §7.2).
package enum CPaceGenerator {
    /// The domain separation string of CPACE-X25519-SHA512.
    static let domain = Array("CPace255".utf8)

    /// SHA-512's block. The zeros fill the first block behind the password, so that the time of the hash and a probe of
    /// its first block say nothing of the password without the rest.
    private static let hashBlockSize = 128

    /// Computes the generator.
    ///
    /// - Parameters:
    ///   - password: the shared low-entropy secret, PRS.
    ///   - channelIdentifier: what both sides agree on about their identities, CI.
    ///   - sessionID: the exchange's name, sid.
    /// - Returns: a u-coordinate, 32 bytes.
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
