/// The platform's half of the key exchange, and the tag that proves that it knows the code.
package struct ActivationAnswer: CommandForm {
    /// The whole command.
    package let bytes: [UInt8]

    /// Everything but the tag, as it was sent: what both sides hash into the transcript.
    package let body: [UInt8]

    package let sessionID: [UInt8]

    /// The X25519 share Yb.
    package let share: [UInt8]

    /// The associated data ADb of the exchange, as it was sent.
    package let ad: [UInt8]

    /// What ``ad`` says.
    package let choice: ActivationChoice

    /// The platform's tag over the transcript.
    package let tag: [UInt8]

    package var encoded: [UInt8] { bytes }

    /// Puts the answer together. The tag covers ``ActivationAnswerBody/bytes``.
    package init(body: ActivationAnswerBody, tag: [UInt8]) {
        var writer = CBORWriter(capacity: body.bytes.count + tag.count + 16)
        writer.array(3)
        writer.unsigned(CommandKind.activationAnswer.rawValue)
        writer.bytes(body.bytes)
        writer.bytes(tag)
        self.init(bytes: writer.finish(), body: body, tag: tag)
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.activationAnswer, count: 3)
        let body = try reader.readBytes(maximum: FieldLimit.nested)
        let tag = try reader.readBytes(count: FieldSize.hash)
        try reader.finish()
        self.init(bytes: bytes, body: try ActivationAnswerBody(decoding: body), tag: tag)
    }

    private init(bytes: [UInt8], body: ActivationAnswerBody, tag: [UInt8]) {
        self.bytes = bytes
        self.body = body.bytes
        self.sessionID = body.sessionID
        self.share = body.share
        self.ad = body.ad
        self.choice = body.choice
        self.tag = tag
    }
}
