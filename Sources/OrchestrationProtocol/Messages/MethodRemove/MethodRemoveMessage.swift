package import Primitives

/// The end of the registration of a method. A method that is not registered is no error.
package struct MethodRemoveMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("method.remove")

    /// Biometric or face.
    package var method: AuthenticationMethod

    package init(method: AuthenticationMethod) { self.method = method }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 1)
        method = try reader.readEnrollableMethod()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(1)
        output.unsigned(UInt64(method.rawValue))
    }

    package var body: RequestBody { .methodRemove(self) }
}

extension MessageType {
    package static var methodRemove: MessageType { MethodRemoveMessage.type }
}

extension RequestBody {
    package static func methodRemove(_ method: AuthenticationMethod) -> RequestBody {
        .methodRemove(MethodRemoveMessage(method: method))
    }
}

extension AnswerBody {
    package static var methodRemove: AnswerBody { AnswerBody(EmptyBody(), to: MethodRemoveMessage.self) }
}
