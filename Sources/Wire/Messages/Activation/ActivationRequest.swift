/// The first command of an activation: the authenticator's half of the password-authenticated key exchange.
package struct ActivationRequest: CommandForm {
    /// The whole command, which both sides hash as it was sent.
    package let bytes: [UInt8]

    /// Names the session in all its steps; 16 random bytes of the authenticator.
    package let sessionID: [UInt8]

    /// The X25519 share Ya.
    package let share: [UInt8]

    /// The associated data ADa of the exchange, as it was sent.
    package let ad: [UInt8]

    /// What ``ad`` says.
    package let offer: ActivationOffer

    package var encoded: [UInt8] { bytes }

    package init(sessionID: [UInt8], share: [UInt8], offer: ActivationOffer) {
        let ad = offer.encoded
        var writer = CBORWriter(capacity: ad.count + 64)
        writer.array(4)
        writer.unsigned(CommandKind.activationRequest.rawValue)
        writer.bytes(sessionID)
        writer.bytes(share)
        writer.bytes(ad)
        self.bytes = writer.finish()
        self.sessionID = sessionID
        self.share = share
        self.ad = ad
        self.offer = offer
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.activationRequest, count: 4)
        sessionID = try reader.readBytes(count: FieldSize.identifier)
        share = try reader.readBytes(count: FieldSize.share)
        ad = try reader.readBytes(maximum: FieldLimit.nested)
        try reader.finish()
        offer = try ActivationOffer(decoding: ad)
        self.bytes = bytes
    }
}
