/// A request for an approval request that a pointer or a list names.
package struct ApprovalFetchMessage: ChannelMessage {
    package static let type = MessageType("approval.fetch")

    /// The id of the approval request, 16 bytes.
    package var id: [UInt8]

    package init(id: [UInt8]) { self.id = id }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 1)
        id = try reader.readBytes(count: FieldSize.identifier)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(1)
        output.bytes(id)
    }

    package var body: RequestBody { .approvalFetch(self) }

    /// The signed ``ApprovalRequestContent``, not verified.
    package struct Answer: MessageBody {
        package var request: Sign1

        package init(request: Sign1) { self.request = request }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 1)
            request = try reader.readSigned()
        }

        package func write(to output: inout some CBOROutput) {
            output.array(1)
            output.bytes(request.encoded)
        }
    }
}

extension RequestBody {
    package static func approvalFetch(id: [UInt8]) -> RequestBody { .approvalFetch(ApprovalFetchMessage(id: id)) }
}

extension AnswerBody {
    package static func approvalFetch(_ request: Sign1) -> AnswerBody {
        AnswerBody(ApprovalFetchMessage.Answer(request: request), to: ApprovalFetchMessage.self)
    }
}
