/// Yes with what belongs to it, or no with the reason.
package enum AnswerResult: Sendable, Hashable {
    case accepted(AnswerBody)
    case refused(Refusal)

    init(_ type: MessageType, from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        let members = try reader.readArray()
        guard members > 0 else { throw WireError(.unexpectedCount, offset: start) }
        switch (try reader.readUnsigned(), members) {
        case (0, 2): self = .accepted(try AnswerBody(type, from: &reader))
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
