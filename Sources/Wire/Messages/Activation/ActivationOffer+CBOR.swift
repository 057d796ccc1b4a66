extension ActivationOffer: WireForm {
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

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: account.utf8.count + (hybridKey?.count ?? 0) + 64)
        writer.array(6)
        writer.unsigned(ProtocolVersion.current)
        writer.text(account)
        writer.unsigned(UInt64(handle))
        writer.numbers(suites)
        writer.numbers(capabilities)
        writer.optional(hybridKey)
        return writer.finish()
    }
}
