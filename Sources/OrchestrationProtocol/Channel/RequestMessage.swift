/// A request of a device, with all values that bind it to the device, the tenant and the account. The device signs it.
@dynamicMemberLookup
package struct RequestMessage: Sendable, Hashable {
    package var head: MessageHead

    /// Whether the device has read its store again, because the platform refused an older index.
    package var reread: Bool

    package var body: RequestBody

    package init(_ head: MessageHead, reread: Bool = false, body: RequestBody) {
        self.head = head
        self.reread = reread
        self.body = body
    }

    /// A value of the head.
    package subscript<Value>(dynamicMember member: WritableKeyPath<MessageHead, Value>) -> Value {
        get { head[keyPath: member] }
        set { head[keyPath: member] = newValue }
    }

    package var type: MessageType { body.type }

    /// The external associated data of the signature.
    package var externalAAD: [UInt8] { Array((ProtocolVersion.prefix + type.requestName).utf8) }

    /// The second member of the message. It distinguishes a request from an answer.
    private static let direction: UInt64 = 0
}

extension RequestMessage: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: MessageHead.memberCount)
        let message = try reader.readMessage(direction: Self.direction) { $0.requestName }
        self.init(
            try MessageHead(from: &reader), reread: try reader.readBoolean(),
            body: try message.readRequest(from: &reader))
        head.extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    // The default implementation, compiled for this type.
    package var encoded: [UInt8] { written }

    package func write(to output: inout some CBOROutput) {
        output.array(MessageHead.memberCount)
        output.text(type.requestName)
        output.unsigned(Self.direction)
        head.write(to: &output)
        output.boolean(reread)
        body.write(to: &output)
        head.extensions.write(to: &output)
    }
}
