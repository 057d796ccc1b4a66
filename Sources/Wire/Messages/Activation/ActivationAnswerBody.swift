/// What the platform answers to an activation request, before the tag over it is made.
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
