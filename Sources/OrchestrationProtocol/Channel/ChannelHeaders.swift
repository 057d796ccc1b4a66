package import Primitives

/// The header of a sealed request: the values that the platform needs to find the keys.
package struct ChannelRequestHeader: Sendable, Hashable {
    /// 16 bytes.
    package var deviceID: [UInt8]

    package var suite: UInt64

    /// The encapsulated key of HPKE: 32 bytes in suite 1, 1,120 in suite 2.
    package var encapsulatedKey: [UInt8]

    /// 16 bytes.
    package var requestID: [UInt8]

    package var expiry: Timestamp

    /// The id of the platform key that opens the request, 8 bytes.
    package var platformKeyID: [UInt8]

    /// 32 bytes, made from random bytes and the plaintext: two plaintexts have two keys.
    package var random: [UInt8]

    package init(
        deviceID: [UInt8], suite: UInt64, encapsulatedKey: [UInt8], requestID: [UInt8], expiry: Timestamp,
        platformKeyID: [UInt8], random: [UInt8]
    ) {
        self.deviceID = deviceID
        self.suite = suite
        self.encapsulatedKey = encapsulatedKey
        self.requestID = requestID
        self.expiry = expiry
        self.platformKeyID = platformKeyID
        self.random = random
    }

    /// Reads the header of a message.
    ///
    /// - Throws: ``WireError`` with `unexpectedHeader`, `missingHeader`, `unsupportedVersion` or the code of a field.
    package init(_ header: COSEHeader) throws(WireError) {
        try header.require(only: Self.labels)
        try header.requireVersion()
        deviceID = try header.bytes(COSELabel.keyID, count: FieldSize.identifier)
        suite = try header.unsigned(COSELabel.suite)
        encapsulatedKey =
            switch suite {
            case 1: try header.bytes(COSELabel.encapsulatedKey, count: FieldSize.share)
            case ActivationOffer.hybridSuite:
                try header.bytes(COSELabel.encapsulatedKey, count: FieldSize.hybridCiphertext)
            default: throw WireError(.unsupportedVersion)
            }
        requestID = try header.bytes(COSELabel.requestID, count: FieldSize.identifier)
        let milliseconds = try header.unsigned(COSELabel.expiry, maximum: FieldLimit.number)
        expiry = Timestamp(millisecondsSinceEpoch: Int64(clamping: milliseconds))
        platformKeyID = try header.bytes(COSELabel.platformKeyID, count: FieldSize.keyID)
        random = try header.bytes(COSELabel.requestRandom, count: FieldSize.random)
    }

    private static let labels = [
        COSELabel.algorithm, COSELabel.keyID, COSELabel.version, COSELabel.suite, COSELabel.encapsulatedKey,
        COSELabel.requestID, COSELabel.expiry, COSELabel.platformKeyID, COSELabel.requestRandom,
    ]

    /// The protected header with these fields.
    package var protected: COSEHeader {
        COSEHeader(
            algorithm: .a256GCM,
            parameters: [
                COSELabel.keyID: .bytes(deviceID),
                COSELabel.version: .unsigned(ProtocolVersion.current),
                COSELabel.suite: .unsigned(suite),
                COSELabel.encapsulatedKey: .bytes(encapsulatedKey),
                COSELabel.requestID: .bytes(requestID),
                COSELabel.expiry: .unsigned(UInt64(clamping: expiry.millisecondsSinceEpoch)),
                COSELabel.platformKeyID: .bytes(platformKeyID),
                COSELabel.requestRandom: .bytes(random),
            ])
    }
}

/// The header of a sealed answer: the request that it belongs to, and the randomness of its key.
package struct ChannelAnswerHeader: Sendable, Hashable {
    /// 16 bytes.
    package var deviceID: [UInt8]

    /// 32 bytes, made from random bytes and the plaintext: an answer that is made twice has two keys.
    package var random: [UInt8]

    /// The SHA-256 of the request as received.
    package var requestHash: [UInt8]

    package init(deviceID: [UInt8], random: [UInt8], requestHash: [UInt8]) {
        self.deviceID = deviceID
        self.random = random
        self.requestHash = requestHash
    }

    /// Reads the header of a message.
    ///
    /// - Throws: ``WireError`` with `unexpectedHeader`, `missingHeader`, `unsupportedVersion` or the code of a field.
    package init(_ header: COSEHeader) throws(WireError) {
        try header.require(only: Self.labels)
        try header.requireVersion()
        deviceID = try header.bytes(COSELabel.keyID, count: FieldSize.identifier)
        random = try header.bytes(COSELabel.answerRandom, count: FieldSize.random)
        requestHash = try header.bytes(COSELabel.requestHash, count: FieldSize.hash)
    }

    private static let labels = [
        COSELabel.algorithm, COSELabel.keyID, COSELabel.version, COSELabel.answerRandom, COSELabel.requestHash,
    ]

    /// The protected header with these fields.
    package var protected: COSEHeader {
        COSEHeader(
            algorithm: .a256GCM,
            parameters: [
                COSELabel.keyID: .bytes(deviceID),
                COSELabel.version: .unsigned(ProtocolVersion.current),
                COSELabel.answerRandom: .bytes(random),
                COSELabel.requestHash: .bytes(requestHash),
            ])
    }
}

extension COSEHeader {
    fileprivate func requireVersion() throws(WireError) {
        guard try unsigned(COSELabel.version) == ProtocolVersion.current else { throw WireError(.unsupportedVersion) }
    }
}
