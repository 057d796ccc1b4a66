package import Primitives

/// The header of a sealed request: what the platform needs to find the keys.
package struct ChannelRequestHeader: Sendable, Hashable {
    package var deviceID: [UInt8]

    package var suite: UInt64

    /// The encapsulated key of HPKE: 32 bytes for suite 1, 1,120 for suite 2.
    package var encapsulatedKey: [UInt8]

    package var requestID: [UInt8]

    package var expiry: Timestamp

    /// Which of its keys the platform has to open this with.
    package var platformKeyID: [UInt8]

    package init(
        deviceID: [UInt8], suite: UInt64, encapsulatedKey: [UInt8], requestID: [UInt8], expiry: Timestamp,
        platformKeyID: [UInt8]
    ) {
        self.deviceID = deviceID
        self.suite = suite
        self.encapsulatedKey = encapsulatedKey
        self.requestID = requestID
        self.expiry = expiry
        self.platformKeyID = platformKeyID
    }
}

extension ChannelRequestHeader {
    /// Reads the header of a message; a label too many or too few is refused.
    package init(_ header: COSEHeader) throws(WireError) {
        try header.require(only: Self.labels)
        guard try header.unsigned(COSELabel.version) == ProtocolVersion.current else {
            throw WireError(.unsupportedVersion)
        }
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
    }

    private static let labels = [
        COSELabel.algorithm, COSELabel.keyID, COSELabel.version, COSELabel.suite, COSELabel.encapsulatedKey,
        COSELabel.requestID, COSELabel.expiry, COSELabel.platformKeyID,
    ]

    /// The protected header that says this.
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
            ])
    }
}
