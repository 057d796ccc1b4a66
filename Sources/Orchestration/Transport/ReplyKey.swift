internal import Crypto
internal import OrchestrationProtocol

/// The unencrypted parts by which a command and its answer match: the session and step of an activation, or the hash of
/// a sealed request.
///
/// The key routes a reply to the flow that may wait for it. It authenticates nothing: the flow opens and verifies the
/// reply.
enum ReplyKey: Sendable, Hashable {
    case activation(session: [UInt8], step: Int)
    case request(hash: [UInt8])

    /// The direction of a command.
    enum Direction: Sendable, Hashable {
        /// From a device to the platform.
        case request
        /// From the platform to a device. A refusal of an activation may answer either step.
        case reply([ReplyKey])

        /// Creates the direction of a command; `nil` for a command that is neither.
        init?(_ envelope: Envelope) {
            switch envelope {
            case .activationRequest, .activationKeyRequest: self = .request
            case .activationAnswer(let answer): self = .reply([.activation(session: answer.sessionID, step: 1)])
            case .activationKeyAnswer(let answer): self = .reply([.activation(session: answer.sessionID, step: 2)])
            case .activationRefusal(let refusal):
                self = .reply([1, 2].map { .activation(session: refusal.sessionID, step: $0) })
            case .approvalPointer: return nil
            case .sealed(let message):
                if let header = try? ChannelAnswerHeader(message.header) {
                    self = .reply([.request(hash: header.requestHash)])
                } else if (try? ChannelRequestHeader(message.header)) != nil {
                    self = .request
                } else {
                    return nil
                }
            }
        }
    }

    /// Creates the key of a command that a flow sends.
    ///
    /// - Returns: `nil` for a command that has no answer.
    init?(sent command: OrchestrationCommand) {
        switch try? Envelope(decoding: command) {
        case .activationRequest(let request): self = .activation(session: request.sessionID, step: 1)
        case .activationKeyRequest(let request): self = .activation(session: request.sessionID, step: 2)
        case .sealed: self = .request(hash: SHA256.hash(data: command.bytes).withSpan { [UInt8]($0) })
        case .activationAnswer, .activationKeyAnswer, .activationRefusal, .approvalPointer, nil: return nil
        }
    }
}
