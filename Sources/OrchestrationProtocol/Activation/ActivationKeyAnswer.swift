/// The answer to an ``ActivationKeyRequest``: the provisioning of the device, sealed under the exchange's key.
package struct ActivationKeyAnswer: CommandForm {
    /// The whole command.
    package let bytes: [UInt8]

    package let sessionID: [UInt8]

    /// The platform's random value, 32 bytes. It salts the answer's key: an answer that is made twice has two keys.
    package let random: [UInt8]

    /// A sealed ``Provisioning``. Its header contains ``random``.
    package let sealed: Encrypt0

    package var encoded: [UInt8] { bytes }

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - random: The random value of ``header(random:)``.
    ///   - ciphertext: The ciphertext under that header.
    package init(sessionID: [UInt8], random: [UInt8], ciphertext: [UInt8]) {
        let sealed = Encrypt0(header: Self.header(random: random), ciphertext: ciphertext)
        var writer = CBORWriter(capacity: sealed.encoded.count + 32)
        writer.array(3)
        writer.unsigned(CommandKind.activationKeyAnswer.rawValue)
        writer.bytes(sessionID)
        writer.bytes(sealed.encoded)
        self.bytes = writer.finish()
        self.sessionID = sessionID
        self.random = random
        self.sealed = sealed
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.activationKeyAnswer, count: 3)
        sessionID = try reader.readBytes(count: FieldSize.identifier)
        let sealed = try reader.readBytes(maximum: FieldLimit.provisioning)
        try reader.finish()
        self.sealed = try Encrypt0(sealedInFrame: sealed, labels: [COSELabel.algorithm, COSELabel.answerRandom])
        random = try self.sealed.header.bytes(COSELabel.answerRandom, count: FieldSize.random)
        self.bytes = bytes
    }

    /// Returns the header of the sealed provisioning.
    package static func header(random: [UInt8]) -> COSEHeader {
        COSEHeader(algorithm: .a256GCM, parameters: [COSELabel.answerRandom: .bytes(random)])
    }
}

extension Encrypt0 {
    /// Decodes a message in the frame of an activation command. Its header contains no labels other than these.
    init(sealedInFrame bytes: [UInt8], labels: [Int64]) throws(WireError) {
        try self.init(decoding: bytes)
        try header.require(only: labels)
    }
}
