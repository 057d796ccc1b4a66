/// A command by what it is: the outermost layer decoded.
package enum Envelope: Sendable, Hashable {
    case activationRequest(ActivationRequest)
    case activationAnswer(ActivationAnswer)
    case activationKeyRequest(ActivationKeyRequest)
    case activationKeyAnswer(ActivationKeyAnswer)
    case activationRefusal(ActivationRefusal)
    /// A message of the channel; its header says whether it is a request or an answer.
    case sealed(Encrypt0)

    package init(decoding command: OrchestrationCommand) throws(WireError) {
        let bytes = command.bytes
        var reader = CBORReader(bytes)
        guard try reader.peekType() == .array else {
            self = .sealed(try Encrypt0(decoding: bytes))
            return
        }
        guard try reader.readArray() > 0, let kind = CommandKind(rawValue: try reader.readUnsigned()) else {
            throw WireError(.unexpectedMessage, offset: 0)
        }
        self =
            switch kind {
            case .activationRequest: .activationRequest(try ActivationRequest(decoding: bytes))
            case .activationAnswer: .activationAnswer(try ActivationAnswer(decoding: bytes))
            case .activationKeyRequest: .activationKeyRequest(try ActivationKeyRequest(decoding: bytes))
            case .activationKeyAnswer: .activationKeyAnswer(try ActivationKeyAnswer(decoding: bytes))
            case .activationRefusal: .activationRefusal(try ActivationRefusal(decoding: bytes))
            }
    }

    package var command: OrchestrationCommand {
        switch self {
        case .activationRequest(let message): message.command
        case .activationAnswer(let message): message.command
        case .activationKeyRequest(let message): message.command
        case .activationKeyAnswer(let message): message.command
        case .activationRefusal(let message): message.command
        case .sealed(let message): message.command
        }
    }
}
