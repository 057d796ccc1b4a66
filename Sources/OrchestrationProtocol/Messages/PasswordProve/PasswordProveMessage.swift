/// The end of a password change: the device proves the new password, which it has stored.
///
/// The request is sent with a proof of the password instance's secret.
package struct PasswordProveMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("password.prove")

    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }

    package var body: RequestBody { .passwordProve }
}

extension AnswerBody {
    package static var passwordProve: AnswerBody { AnswerBody(EmptyBody(), to: PasswordProveMessage.self) }
}
