/// What the platform has chosen from an ``ActivationOffer``.
package struct ActivationChoice: Sendable, Hashable {
    package var suite: UInt64

    /// What the platform can do, ascending. Ones that we do not know are allowed.
    package var capabilities: [UInt64]

    /// The ciphertext of X-Wing; there exactly when suite 2 is chosen.
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
