/// The body of an acceptance: the answer to one of the messages.
///
/// The folder of each message contains the functions that create its answers.
package struct AnswerBody: Sendable {
    /// The name of the message that is answered.
    package let type: MessageType

    private let answer: any MessageBody

    /// Creates an answer to a message.
    package init<Message: ChannelMessage>(_ answer: Message.Answer, to message: Message.Type) {
        type = message.type
        self.answer = answer
    }

    /// Returns the answer to a message, or `nil` if it answers another message.
    package func answer<Message: ChannelMessage>(to message: Message.Type) -> Message.Answer? {
        type == message.type ? answer as? Message.Answer : nil
    }

    func write(to output: inout some CBOROutput) { answer.write(to: &output) }
}

extension AnswerBody: Hashable {
    package static func == (a: AnswerBody, b: AnswerBody) -> Bool {
        guard a.type == b.type else { return false }
        return a.answer.isEqual(b.answer)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        answer.hash(into: &hasher)
    }
}

extension MessageBody {
    fileprivate func isEqual(_ other: any MessageBody) -> Bool { other as? Self == self }
}
