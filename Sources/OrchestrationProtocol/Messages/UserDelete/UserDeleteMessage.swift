/// The user removes the account from this device.
package struct UserDeleteMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("user.delete")

    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }

    package var body: RequestBody { .userDelete }
}

extension AnswerBody {
    package static var userDelete: AnswerBody { AnswerBody(EmptyBody(), to: UserDeleteMessage.self) }
}
