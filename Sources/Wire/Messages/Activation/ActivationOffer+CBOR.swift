extension ActivationOffer: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 6)
        try reader.readVersion()
        account = reader.text(in: try reader.findAccount())
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
