package import Primitives

/// The end of the registration of a method, on the device or on all devices of the account. A method that is not
/// registered is not an error.
///
/// To end it on all devices, the request must be sent with a proof of the password instance's secret.
package struct MethodRemoveMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("method.remove")

    /// Biometric or face.
    package var method: AuthenticationMethod

    /// Whether the registration ends on all devices of the account.
    package var everywhere: Bool

    package init(method: AuthenticationMethod, everywhere: Bool) {
        self.method = method
        self.everywhere = everywhere
    }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 2)
        method = try reader.readEnrollableMethod()
        everywhere = try reader.readBoolean()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(2)
        output.unsigned(UInt64(method.rawValue))
        output.boolean(everywhere)
    }

    package var body: RequestBody { .methodRemove(self) }
}

extension RequestBody {
    package static func methodRemove(_ method: AuthenticationMethod, everywhere: Bool = false) -> RequestBody {
        .methodRemove(MethodRemoveMessage(method: method, everywhere: everywhere))
    }
}

extension AnswerBody {
    package static var methodRemove: AnswerBody { AnswerBody(EmptyBody(), to: MethodRemoveMessage.self) }
}
