/// A command with its outermost layer decoded.
///
/// A command is decoded once, when it is received. Each later step takes the case that it handles, and no layer is
/// decoded again. The content of an envelope is well-formed but not authenticated.
package enum Envelope: Sendable, Hashable {
    case activationRequest(ActivationRequest)
    case activationAnswer(ActivationAnswer)
    case activationKeyRequest(ActivationKeyRequest)
    case activationKeyAnswer(ActivationKeyAnswer)
    case activationRefusal(ActivationRefusal)
    case approvalPointer(ApprovalPointer)
    /// A message of the channel. Its header shows whether it is a request or an answer.
    case sealed(Encrypt0)

    /// Decodes a command.
    ///
    /// - Throws: ``WireError`` for bytes that are not one of the seven kinds.
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
            case .approvalPointer: .approvalPointer(try ApprovalPointer(decoding: bytes))
            }
    }

    /// The command, with the bytes that it was decoded from.
    package var command: OrchestrationCommand {
        switch self {
        case .activationRequest(let message): message.command
        case .activationAnswer(let message): message.command
        case .activationKeyRequest(let message): message.command
        case .activationKeyAnswer(let message): message.command
        case .activationRefusal(let message): message.command
        case .approvalPointer(let message): message.command
        case .sealed(let message): message.command
        }
    }
}

/// The first member of commands that are not sealed.
package enum CommandKind: UInt64, Sendable {
    case activationRequest = 1
    case activationAnswer = 2
    case activationKeyRequest = 3
    case activationKeyAnswer = 4
    case activationRefusal = 5
    case approvalPointer = 6

    /// The name of the kind, for logs.
    var name: String {
        switch self {
        case .activationRequest: "activation request"
        case .activationAnswer: "activation answer"
        case .activationKeyRequest: "activation key request"
        case .activationKeyAnswer: "activation key answer"
        case .activationRefusal: "activation refusal"
        case .approvalPointer: "approval pointer"
        }
    }
}
