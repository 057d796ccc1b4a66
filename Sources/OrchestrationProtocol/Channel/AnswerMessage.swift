/// The platform's answer, with all values that bind it to its request. The platform signs it.
@dynamicMemberLookup
package struct AnswerMessage: Sendable, Hashable {
    /// The type of the request.
    package let type: MessageType

    package var head: MessageHead

    /// The number of typed codes that have failed since the user was last informed.
    package var failedCodes: UInt64

    package let result: AnswerResult

    /// Creates an answer. The body of an acceptance must be of the request's type.
    package init(to type: MessageType, _ head: MessageHead, failedCodes: UInt64, result: AnswerResult) {
        if case .accepted(let body) = result { precondition(body.type == type, "an answer to another request") }
        self.type = type
        self.head = head
        self.failedCodes = failedCodes
        self.result = result
    }

    /// A value of the head.
    package subscript<Value>(dynamicMember member: WritableKeyPath<MessageHead, Value>) -> Value {
        get { head[keyPath: member] }
        set { head[keyPath: member] = newValue }
    }

    /// The key of the extension that contains the number of wrong passwords.
    static let failedPasswordsKey: Int64 = 6

    /// The number of wrong passwords between the correct password of the request and the previous correct one; 0 if the
    /// answer does not state it.
    package var failedPasswords: UInt64 {
        guard case .unsigned(let count) = head.extensions[Self.failedPasswordsKey] else { return 0 }
        return count
    }

    /// The external associated data of the signature.
    package var externalAAD: [UInt8] { Array((ProtocolVersion.prefix + type.answerName).utf8) }

    /// The second member of the message. It distinguishes an answer from a request.
    private static let direction: UInt64 = 1
}

extension AnswerMessage: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: MessageHead.memberCount)
        let message = try reader.readMessage(direction: Self.direction) { $0.answerName }
        self.init(
            to: message.type, try MessageHead(from: &reader), failedCodes: try reader.readNumber(),
            result: try AnswerResult(to: message, from: &reader))
        head.extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    // The default implementation, compiled for this type.
    package var encoded: [UInt8] { written }

    package func write(to output: inout some CBOROutput) {
        output.array(MessageHead.memberCount)
        output.text(type.answerName)
        output.unsigned(Self.direction)
        head.write(to: &output)
        output.unsigned(failedCodes)
        result.write(to: &output)
        head.extensions.write(to: &output)
    }
}

/// An acceptance with its result, or a refusal with its reason.
package enum AnswerResult: Sendable, Hashable {
    case accepted(AnswerBody)
    case refused(Refusal)

    init(to message: any ChannelMessage.Type, from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        let members = try reader.readArray()
        guard members > 0 else { throw WireError(.unexpectedCount, offset: start) }
        switch (try reader.readUnsigned(), members) {
        case (0, 2): self = .accepted(try message.readAnswer(from: &reader))
        case (1, 4): self = .refused(try Refusal(from: &reader))
        case (0...1, _): throw WireError(.unexpectedCount, offset: start)
        default: throw WireError(.invalidValue, offset: start)
        }
    }

    func write(to output: inout some CBOROutput) {
        switch self {
        case .accepted(let body):
            output.array(2)
            output.unsigned(0)
            body.write(to: &output)
        case .refused(let refusal):
            output.array(4)
            output.unsigned(1)
            refusal.write(to: &output)
        }
    }
}
