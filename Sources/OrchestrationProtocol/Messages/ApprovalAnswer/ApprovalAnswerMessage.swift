/// The answer to an approval request, which the hash in the answer identifies.
///
/// The request is sent with a proof of the secret that belongs to the answer's method.
package struct ApprovalAnswerMessage: ChannelMessage {
    package static let type = MessageType("approval.answer")

    /// The signed ``ApprovalAnswerContent``, not verified.
    package var answer: Sign1

    package init(answer: Sign1) { self.answer = answer }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 1)
        answer = try reader.readSigned()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(1)
        output.bytes(answer.encoded)
    }

    package var body: RequestBody { .approvalAnswer(self) }

    /// The receipt, not verified.
    package struct Answer: MessageBody {
        package var receipt: ReceiptParts

        package init(receipt: ReceiptParts) { self.receipt = receipt }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 1)
            receipt = try ReceiptParts(decoding: reader.readBytes(maximum: FieldLimit.receipt))
        }

        package func write(to output: inout some CBOROutput) {
            output.array(1)
            output.bytes(receipt.encoded)
        }
    }
}

extension RequestBody {
    package static func approvalAnswer(_ answer: Sign1) -> RequestBody {
        .approvalAnswer(ApprovalAnswerMessage(answer: answer))
    }
}

extension AnswerBody {
    package static func approvalAnswer(_ receipt: ReceiptParts) -> AnswerBody {
        AnswerBody(ApprovalAnswerMessage.Answer(receipt: receipt), to: ApprovalAnswerMessage.self)
    }
}
