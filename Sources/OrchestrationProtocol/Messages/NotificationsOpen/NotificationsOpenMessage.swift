/// A request for a token that opens the device's notification stream.
package struct NotificationsOpenMessage: ChannelMessage {
    package static let type = MessageType("notifications.open")

    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }

    package var body: RequestBody { .notificationsOpen }

    /// A token with its lifetime.
    package struct Answer: MessageBody {
        /// 16 random bytes.
        package var token: [UInt8]

        /// The number of seconds during which the token can open a stream, 1 to 3,600.
        package var seconds: Int

        package init(token: [UInt8], seconds: Int) {
            self.token = token
            self.seconds = seconds
        }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 2)
            token = try reader.readBytes(count: FieldSize.streamToken)
            seconds = try reader.readNumber(in: 1...3_600)
        }

        package func write(to output: inout some CBOROutput) {
            output.array(2)
            output.bytes(token)
            output.unsigned(UInt64(seconds))
        }
    }
}

extension AnswerBody {
    package static func notificationsOpen(token: [UInt8], seconds: Int) -> AnswerBody {
        AnswerBody(NotificationsOpenMessage.Answer(token: token, seconds: seconds), to: NotificationsOpenMessage.self)
    }
}
