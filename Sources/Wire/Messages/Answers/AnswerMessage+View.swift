package import Primitives

extension AnswerMessage {
    /// Where the fields of an answer stand in the bytes that came: all is checked, nothing is copied.
    ///
    /// A range is read as `bytes.span.extracting(view.account)`. Whatever decodes to a view decodes to a message, and
    /// what does not is refused in the same words, since a message is made from its view.
    package struct View: Sendable {
        package let type: MessageType
        package let tenant: Range<Int>
        package let account: Range<Int>
        package let deviceID: Range<Int>
        package let requestID: Range<Int>
        package let time: Timestamp
        package let ratchetIndex: UInt64
        package let failedCodes: UInt64
        package let result: AnswerResult

        package init(decoding bytes: [UInt8]) throws(WireError) {
            var reader = CBORReader(bytes)
            try reader.readArray(count: 10)
            let text = try reader.findText(maximumBytes: MessageType.maximumBytes)
            guard
                let type = MessageType(where: { CBORText.isEqual(bytes.span.extracting(text), $0.answerText) }),
                try reader.readUnsigned() == AnswerMessage.direction
            else { throw WireError(.unexpectedMessage, offset: 1) }
            self.type = type
            tenant = try reader.findTenant()
            account = try reader.findAccount()
            deviceID = try reader.findBytes(count: FieldSize.identifier)
            requestID = try reader.findBytes(count: FieldSize.identifier)
            time = try reader.readTime()
            ratchetIndex = try reader.readNumber()
            failedCodes = try reader.readNumber()
            result = try AnswerResult(type, from: &reader)
            try reader.finish()
        }
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        let view = try View(decoding: bytes)
        type = view.type
        tenant = bytes.text(view.tenant)
        account = bytes.text(view.account)
        deviceID = bytes.copy(view.deviceID)
        requestID = bytes.copy(view.requestID)
        time = view.time
        ratchetIndex = view.ratchetIndex
        failedCodes = view.failedCodes
        result = view.result
    }
}
