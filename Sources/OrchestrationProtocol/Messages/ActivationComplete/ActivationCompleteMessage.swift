/// The last step of an activation: the device shows the receipt of the third step, states whether it registers the pull
/// channel, and names the locked device that it replaces.
///
/// The request is sent with a proof of the other instance's secret. The answer is the receipt of the step.
package struct ActivationCompleteMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("activation.complete")

    /// The SHA-256 of the signed answer to the third step, 32 bytes.
    package var receiptHash: [UInt8]

    /// Whether the step registers the pull channel for the notifications of the device, which completes the account.
    package var registersPullChannel: Bool

    /// The locked device of the same account that the store of this device still holds, 16 bytes; `nil` for none.
    package var replacedDevice: [UInt8]?

    package init(receiptHash: [UInt8], registersPullChannel: Bool, replacedDevice: [UInt8]? = nil) {
        self.receiptHash = receiptHash
        self.registersPullChannel = registersPullChannel
        self.replacedDevice = replacedDevice
    }

    package init(from reader: inout CBORReader) throws(WireError) {
        let count = try reader.readArray()
        guard 2...3 ~= count else { throw WireError(.unexpectedCount, offset: reader.offset) }
        receiptHash = try reader.readBytes(count: FieldSize.hash)
        registersPullChannel = try reader.readBoolean()
        replacedDevice = count == 3 ? try reader.readBytes(count: FieldSize.identifier) : nil
    }

    package func write(to output: inout some CBOROutput) {
        output.array(replacedDevice == nil ? 2 : 3)
        output.bytes(receiptHash)
        output.boolean(registersPullChannel)
        if let replacedDevice { output.bytes(replacedDevice) }
    }

    package var body: RequestBody { .activationComplete(self) }
}

extension RequestBody {
    package static func activationComplete(
        receiptHash: [UInt8], registersPullChannel: Bool = true, replacing device: [UInt8]? = nil
    ) -> RequestBody {
        .activationComplete(
            ActivationCompleteMessage(
                receiptHash: receiptHash, registersPullChannel: registersPullChannel, replacedDevice: device))
    }
}

extension AnswerBody {
    package static var activationComplete: AnswerBody { AnswerBody(EmptyBody(), to: ActivationCompleteMessage.self) }
}
