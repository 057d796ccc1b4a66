/// The third step of an activation: the user has chosen a password.
///
/// The request is sent with a proof of the password instance's secret. The answer is the receipt of the step.
package struct ActivationPasswordMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("activation.password")

    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }

    package var body: RequestBody { .activationPassword }
}

extension AnswerBody {
    package static var activationPassword: AnswerBody { AnswerBody(EmptyBody(), to: ActivationPasswordMessage.self) }
}
