/// The last step of an activation: the device shows the receipt of the third step, and names the locked device that it
/// replaces.
///
/// The request comes with a proof of the secret of the other instance. The answer is the receipt of the step.
package struct ActivationCompleteMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("activation.complete")

    /// The SHA-256 of the signed answer to the third step, 32 bytes.
    package var receiptHash: [UInt8]

    /// The locked device of the same account that the store of this device still holds, 16 bytes; `nil` for none.
    package var replacedDevice: [UInt8]?

    package init(receiptHash: [UInt8], replacedDevice: [UInt8]? = nil) {
        self.receiptHash = receiptHash
        self.replacedDevice = replacedDevice
    }

    package init(from reader: inout CBORReader) throws(WireError) {
        let count = try reader.readArray()
        guard 1...2 ~= count else { throw WireError(.unexpectedCount, offset: reader.offset) }
        receiptHash = try reader.readBytes(count: FieldSize.hash)
        replacedDevice = count == 2 ? try reader.readBytes(count: FieldSize.identifier) : nil
    }

    package func write(to output: inout some CBOROutput) {
        output.array(replacedDevice == nil ? 1 : 2)
        output.bytes(receiptHash)
        if let replacedDevice { output.bytes(replacedDevice) }
    }

    package var body: RequestBody { .activationComplete(self) }
}

extension MessageType {
    package static var activationComplete: MessageType { ActivationCompleteMessage.type }
}

extension RequestBody {
    package static func activationComplete(receiptHash: [UInt8], replacing device: [UInt8]? = nil) -> RequestBody {
        .activationComplete(ActivationCompleteMessage(receiptHash: receiptHash, replacedDevice: device))
    }
}

extension AnswerBody {
    package static var activationComplete: AnswerBody { AnswerBody(EmptyBody(), to: ActivationCompleteMessage.self) }
}
