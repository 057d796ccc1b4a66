/// The last step of an activation: the device shows the receipt of the third step.
///
/// The request comes with a proof of the secret of the other instance. The answer is the receipt of the step.
package struct ActivationCompleteMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("activation.complete")

    /// The SHA-256 of the signed answer to the third step, 32 bytes.
    package var receiptHash: [UInt8]

    package init(receiptHash: [UInt8]) { self.receiptHash = receiptHash }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 1)
        receiptHash = try reader.readBytes(count: FieldSize.hash)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(1)
        output.bytes(receiptHash)
    }

    package var body: RequestBody { .activationComplete(self) }
}

extension MessageType {
    package static var activationComplete: MessageType { ActivationCompleteMessage.type }
}

extension RequestBody {
    package static func activationComplete(receiptHash: [UInt8]) -> RequestBody {
        .activationComplete(ActivationCompleteMessage(receiptHash: receiptHash))
    }
}

extension AnswerBody {
    package static var activationComplete: AnswerBody { AnswerBody(EmptyBody(), to: ActivationCompleteMessage.self) }
}
