extension AnswerMessage: WireForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 10)
        guard
            let type = MessageType(answerText: try reader.readText(maximumBytes: MessageType.maximumBytes)),
            try reader.readUnsigned() == Self.direction
        else { throw WireError(.unexpectedMessage, offset: 1) }
        self.type = type
        tenant = try reader.readTenant()
        account = try reader.readAccount()
        deviceID = try reader.readBytes(count: FieldSize.identifier)
        requestID = try reader.readBytes(count: FieldSize.identifier)
        time = try reader.readTime()
        chainIndex = try reader.readNumber()
        failedCodes = try reader.readNumber()
        result = try AnswerResult(type, from: &reader)
        try reader.finish()
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 192 + tenant.utf8.count + account.utf8.count)
        writer.array(10)
        writer.text(type.answerText)
        writer.unsigned(Self.direction)
        writer.text(tenant)
        writer.text(account)
        writer.bytes(deviceID)
        writer.bytes(requestID)
        writer.time(time)
        writer.unsigned(chainIndex)
        writer.unsigned(failedCodes)
        result.write(to: &writer)
        return writer.finish()
    }
}
