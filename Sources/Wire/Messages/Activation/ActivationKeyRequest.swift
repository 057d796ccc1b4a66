/// The second command of an activation: the authenticator's tag, and its keys sealed under the exchange's key.
package struct ActivationKeyRequest: CommandForm {
    /// The whole command.
    package let bytes: [UInt8]

    package let sessionID: [UInt8]

    /// The authenticator's tag over the transcript.
    package let tag: [UInt8]

    /// A sealed ``DeviceRegistration``.
    package let sealed: Encrypt0

    package var encoded: [UInt8] { bytes }

    package init(sessionID: [UInt8], tag: [UInt8], sealed: Encrypt0) {
        var writer = CBORWriter(capacity: sealed.encoded.count + 64)
        writer.array(4)
        writer.unsigned(CommandKind.activationKeyRequest.rawValue)
        writer.bytes(sessionID)
        writer.bytes(tag)
        writer.bytes(sealed.encoded)
        self.bytes = writer.finish()
        self.sessionID = sessionID
        self.tag = tag
        self.sealed = sealed
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.activationKeyRequest, count: 4)
        sessionID = try reader.readBytes(count: FieldSize.identifier)
        tag = try reader.readBytes(count: FieldSize.hash)
        let sealed = try reader.readBytes(maximum: FieldLimit.nested)
        try reader.finish()
        self.sealed = try Encrypt0(sealedInFrame: sealed)
        self.bytes = bytes
    }
}
