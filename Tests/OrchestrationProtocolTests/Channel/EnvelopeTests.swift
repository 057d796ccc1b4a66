import OrchestrationProtocol
import TestSupport
import Testing

@Suite struct EnvelopeTests {
    static let kinds = [
        "ActivationRequest", "ActivationAnswer", "ActivationKeyRequest", "ActivationKeyAnswer", "ActivationRefusal",
        "ApprovalPointer", "ChannelRequest", "ChannelAnswer",
    ]

    @Test(arguments: MessageVectors.all.messages.filter { kinds.contains($0.type) })
    func `a command is recognized by its outermost item and keeps its bytes`(vector: MessageVectors.Message) throws {
        let command = try OrchestrationCommand(bytes: vector.bytes)
        let envelope = try Envelope(decoding: command)
        #expect(envelope.command == command)
        let type =
            switch envelope {
            case .activationRequest: "ActivationRequest"
            case .activationAnswer: "ActivationAnswer"
            case .activationKeyRequest: "ActivationKeyRequest"
            case .activationKeyAnswer: "ActivationKeyAnswer"
            case .activationRefusal: "ActivationRefusal"
            case .approvalPointer: "ApprovalPointer"
            case .sealed(let message) where (try? ChannelRequestHeader(message.header)) != nil: "ChannelRequest"
            case .sealed(let message) where (try? ChannelAnswerHeader(message.header)) != nil: "ChannelAnswer"
            case .sealed: "sealed"
            }
        #expect(type == vector.type)
    }

    @Test(arguments: [
        ("80", WireError.Code.unexpectedMessage), ("8100", .unexpectedMessage), ("8107", .unexpectedMessage),
        ("8120", .unexpectedType), ("816131", .unexpectedType), ("8101", .unexpectedCount),
        ("8105", .unexpectedCount), ("820500", .unexpectedCount), ("8106", .unexpectedCount),
        // A signed message travels sealed, never alone.
        ("d28443a10132a04101" + Sign1Tests.signature, .unexpectedTag),
    ])
    func `a command of an unknown form is refused`(hex: String, code: WireError.Code) throws {
        let command = try OrchestrationCommand(bytes: [UInt8](hex: hex))
        #expect(throws: WireError(code)) { try Envelope(decoding: command) }
    }
}
