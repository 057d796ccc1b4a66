package import Primitives

extension RequestMessage {
    /// Where the fields of a request stand in the bytes that came: all is checked, nothing is copied.
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
        package let reread: Bool
        package let body: RequestBody.View

        package init(decoding bytes: [UInt8]) throws(WireError) {
            self = unsafe try bytes.span.withUnsafeBytes { memory throws(WireError) in
                try View(unsafe CBORScanner(memory))
            }
        }

        @inline(__always)
        private init(_ scanner: CBORScanner) throws(WireError) {
            var reader = scanner
            try reader.readArray(count: 10)
            let text = try reader.findText(maximumBytes: MessageType.maximumBytes)
            guard
                let type = MessageType(where: { reader.isEqual(text, $0.rawValue) }),
                try reader.readUnsigned() == RequestMessage.direction
            else { throw WireError(.unexpectedMessage, offset: 1) }
            self.type = type
            tenant = try reader.findTenant()
            account = try reader.findName(maximumBytes: FieldLimit.account)
            deviceID = try reader.findBytes(count: FieldSize.identifier)
            requestID = try reader.findBytes(count: FieldSize.identifier)
            let milliseconds = try reader.readUnsigned(in: 0...FieldLimit.number)
            time = Timestamp(millisecondsSinceEpoch: Int64(clamping: milliseconds))
            ratchetIndex = try reader.readUnsigned(in: 0...FieldLimit.number)
            reread = try reader.readBoolean()
            body = try RequestBody.View(type, from: &reader)
            try reader.finish()
        }
    }

    /// Copies the fields out of the bytes that a view is of.
    private init(_ view: View, in bytes: [UInt8]) throws(WireError) {
        tenant = bytes.text(view.tenant)
        account = bytes.text(view.account)
        deviceID = bytes.copy(view.deviceID)
        requestID = bytes.copy(view.requestID)
        time = view.time
        ratchetIndex = view.ratchetIndex
        reread = view.reread
        body = try RequestBody(view.body, in: bytes)
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        try self.init(View(decoding: bytes), in: bytes)
    }
}
