/// The answer to an ``ActivationKeyRequest``: the provisioning of the device, sealed under the exchange's key.
package struct ActivationKeyAnswer: CommandForm {
    /// The whole command.
    package let bytes: [UInt8]

    package let sessionID: [UInt8]

    /// A sealed ``Provisioning``.
    package let sealed: Encrypt0

    package var encoded: [UInt8] { bytes }

    package init(sessionID: [UInt8], sealed: Encrypt0) {
        var writer = CBORWriter(capacity: sealed.encoded.count + 32)
        writer.array(3)
        writer.unsigned(CommandKind.activationKeyAnswer.rawValue)
        writer.bytes(sessionID)
        writer.bytes(sealed.encoded)
        self.bytes = writer.finish()
        self.sessionID = sessionID
        self.sealed = sealed
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.activationKeyAnswer, count: 3)
        sessionID = try reader.readBytes(count: FieldSize.identifier)
        let sealed = try reader.readBytes(maximum: FieldLimit.nested)
        try reader.finish()
        self.sealed = try Encrypt0(sealedInFrame: sealed)
        self.bytes = bytes
    }
}

extension Encrypt0 {
    /// Decodes a message in the frame of an activation command. Its header names the cipher and nothing else.
    init(sealedInFrame bytes: [UInt8]) throws(WireError) {
        try self.init(decoding: bytes)
        try header.require(only: [COSELabel.algorithm])
    }
}
