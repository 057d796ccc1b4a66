package import OrchestrationProtocol
internal import Primitives

extension StatedKey {
    /// Returns the entry of a signing key.
    package init(_ pair: SigningKeyPair, from start: Int64 = 0, until end: Int64? = nil) {
        self.init(
            kid: pair.kid, use: .signing, algorithm: -19, bytes: pair.publicBytes,
            notBefore: Timestamp(millisecondsSinceEpoch: start),
            notAfter: end.map { Timestamp(millisecondsSinceEpoch: $0) })
    }

    /// Returns the entry of a sealing key.
    package init(_ key: PlatformPublicKey, from start: Int64 = 0, until end: Int64? = nil) {
        self.init(
            kid: key.kid, use: .sealing, algorithm: Int64(key.suite.rawValue), bytes: key.bytes,
            notBefore: Timestamp(millisecondsSinceEpoch: start),
            notAfter: end.map { Timestamp(millisecondsSinceEpoch: $0) })
    }
}

extension KeyStatement {
    /// Returns the first statement of a platform, signed by its only signing key.
    package static func first(
        signing: SigningKeyPair, sealing: [PlatformPublicKey]
    ) throws -> SignatureList {
        try KeyStatement.first([StatedKey(signing)] + sealing.map { StatedKey($0) }).signed(with: [signing])
    }

    /// Returns the first statement of a platform.
    package static func first(_ keys: [StatedKey], at time: Int64 = 0) -> KeyStatement {
        KeyStatement(sequence: 1, previous: nil, time: Timestamp(millisecondsSinceEpoch: time), keys: keys)
    }

    /// Returns the statement that follows this one.
    package func next(_ keys: [StatedKey], at time: Int64) -> KeyStatement {
        KeyStatement(
            sequence: sequence + 1, previous: fingerprint, time: Timestamp(millisecondsSinceEpoch: time), keys: keys)
    }
}
