/// The platform's half of the key exchange, and the tag that proves that it knows the activation password.
package struct ActivationAnswer: CommandForm {
    /// The whole command.
    package let bytes: [UInt8]

    /// Everything but the tag, as it was sent. Both sides hash it into the transcript.
    package let body: [UInt8]

    package let sessionID: [UInt8]

    /// The X25519 share Yb.
    package let share: [UInt8]

    /// The associated data ADb of the exchange, as it was sent.
    package let ad: [UInt8]

    /// The content of ``ad``.
    package let choice: ActivationChoice

    /// The platform's tag over the transcript.
    package let tag: [UInt8]

    package var encoded: [UInt8] { bytes }

    /// Creates an answer. The tag covers ``ActivationAnswerBody/bytes``.
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

/// The platform's half of the key exchange without the tag over it.
package struct ActivationAnswerBody: WireForm {
    /// The encoded body.
    package let bytes: [UInt8]

    package let sessionID: [UInt8]

    package let share: [UInt8]

    /// The associated data ADb of the exchange, as it was sent.
    package let ad: [UInt8]

    package let choice: ActivationChoice

    package var encoded: [UInt8] { bytes }

    package init(sessionID: [UInt8], share: [UInt8], choice: ActivationChoice) {
        let ad = choice.encoded
        var writer = CBORWriter(capacity: ad.count + 64)
        writer.array(3)
        writer.bytes(sessionID)
        writer.bytes(share)
        writer.bytes(ad)
        self.bytes = writer.finish()
        self.sessionID = sessionID
        self.share = share
        self.ad = ad
        self.choice = choice
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 3)
        sessionID = try reader.readBytes(count: FieldSize.identifier)
        share = try reader.readBytes(count: FieldSize.share)
        ad = try reader.readBytes(maximum: FieldLimit.nested)
        try reader.finish()
        choice = try ActivationChoice(decoding: ad)
        self.bytes = bytes
    }
}

/// The platform's choice from an ``ActivationOffer``.
package struct ActivationChoice: Sendable, Hashable {
    package var suite: UInt64

    /// The numbers of the offered capabilities that the platform also has, ascending.
    package var capabilities: [UInt64]

    /// The ciphertext of X-Wing. It is present exactly when suite 2 is chosen.
    package var hybridCiphertext: [UInt8]?

    package init(suite: UInt64, capabilities: [UInt64] = [], hybridCiphertext: [UInt8]? = nil) {
        self.suite = suite
        self.capabilities = capabilities
        self.hybridCiphertext = hybridCiphertext
    }
}

extension ActivationChoice: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 4)
        try reader.readVersion()
        suite = try reader.readNumber()
        capabilities = try reader.readNumbers(count: 0...FieldLimit.capabilities)
        let ciphertextStart = reader.offset
        hybridCiphertext = try reader.readIfNull() ? nil : reader.readBytes(count: FieldSize.hybridCiphertext)
        guard (suite == ActivationOffer.hybridSuite) == (hybridCiphertext != nil) else {
            throw WireError(.invalidValue, offset: ciphertextStart)
        }
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(4)
        output.unsigned(ProtocolVersion.current)
        output.unsigned(suite)
        output.numbers(capabilities)
        output.optional(hybridCiphertext)
    }
}
