/// The header of a sealed answer: which request it belongs to, and the randomness of its key.
package struct ChannelAnswerHeader: Sendable, Hashable {
    package var deviceID: [UInt8]

    /// 32 fresh bytes, so that an answer made twice never meets one key.
    package var random: [UInt8]

    /// The SHA-256 of the request as it was received.
    package var requestHash: [UInt8]

    package init(deviceID: [UInt8], random: [UInt8], requestHash: [UInt8]) {
        self.deviceID = deviceID
        self.random = random
        self.requestHash = requestHash
    }
}

extension ChannelAnswerHeader {
    /// Reads the header of a message; a label too many or too few is refused.
    package init(_ header: COSEHeader) throws(WireError) {
        try header.require(only: Self.labels)
        guard try header.unsigned(COSELabel.version) == ProtocolVersion.current else {
            throw WireError(.unsupportedVersion)
        }
        deviceID = try header.bytes(COSELabel.keyID, count: FieldSize.identifier)
        random = try header.bytes(COSELabel.answerRandom, count: FieldSize.random)
        requestHash = try header.bytes(COSELabel.requestHash, count: FieldSize.hash)
    }

    private static let labels = [
        COSELabel.algorithm, COSELabel.keyID, COSELabel.version, COSELabel.answerRandom, COSELabel.requestHash,
    ]

    /// The protected header that says this.
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
