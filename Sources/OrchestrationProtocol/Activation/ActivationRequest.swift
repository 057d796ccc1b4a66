/// The first command of an activation: the authenticator's half of the password-authenticated key exchange.
package struct ActivationRequest: CommandForm {
    /// The whole command. Both sides hash it as it was sent.
    package let bytes: [UInt8]

    /// The id of the session in all its steps: 16 random bytes from the authenticator.
    package let sessionID: [UInt8]

    /// The X25519 share Ya.
    package let share: [UInt8]

    /// The associated data ADa of the exchange, as it was sent.
    package let ad: [UInt8]

    /// The content of ``ad``.
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

/// The account and the activation password of an activation, and what the authenticator supports.
package struct ActivationOffer: Sendable, Hashable {
    /// "user@domain", as received.
    package var account: String

    /// The public part of the activation password, 15 bits.
    package var handle: UInt16

    /// The suites that the authenticator offers, ascending. Unknown ones are allowed.
    package var suites: [UInt64]

    /// The numbers of the authenticator's capabilities, ascending. Unknown ones are allowed.
    package var capabilities: [UInt64]

    /// The public key of X-Wing. It is present exactly when suite 2 is offered.
    package var hybridKey: [UInt8]?

    package init(
        account: String, handle: UInt16, suites: [UInt64], capabilities: [UInt64] = [], hybridKey: [UInt8]? = nil
    ) {
        self.account = account
        self.handle = handle
        self.suites = suites
        self.capabilities = capabilities
        self.hybridKey = hybridKey
    }

    /// The suite with a hybrid key and a hybrid ciphertext.
    static let hybridSuite: UInt64 = 2
}

extension ActivationOffer: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 6)
        try reader.readVersion()
        account = try reader.readAccount()
        handle = UInt16(try reader.readUnsigned(maximum: 0x7FFF))
        suites = try reader.readNumbers(count: 1...FieldLimit.suites)
        capabilities = try reader.readNumbers(count: 0...FieldLimit.capabilities)
        let keyStart = reader.offset
        hybridKey = try reader.readIfNull() ? nil : reader.readBytes(count: FieldSize.hybridKey)
        guard suites.contains(Self.hybridSuite) == (hybridKey != nil) else {
            throw WireError(.invalidValue, offset: keyStart)
        }
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(6)
        output.unsigned(ProtocolVersion.current)
        output.text(account)
        output.unsigned(UInt64(handle))
        output.numbers(suites)
        output.numbers(capabilities)
        output.optional(hybridKey)
    }
}
