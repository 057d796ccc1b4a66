import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Answers of a platform whose keys were not in use at the time of the answer.
@Suite struct AnswerValidityTests {
    private static let start: Int64 = 1_700_000_000_000
    private static let end = start + 100 * 86_400_000
    private static let day: Int64 = 86_400_000

    private let pair: SigningKeyPair
    private let keys: KeyStatement

    init() throws {
        pair = try SigningKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](repeating: 2, count: 32)))
        let sealing = PlatformPublicKey(suite: .classic, bytes: [UInt8](repeating: 4, count: 32))
        keys = .first(
            [
                StatedKey(pair, from: Self.start, until: Self.end),
                StatedKey(sealing, from: Self.start, until: Self.end),
            ],
            at: Self.start)
    }

    @Test(
        arguments: [
            (start - day, nil), (start - day - 1, .keyNotValid), (end, nil), (end + day, nil),
            (end + day + 1, .keyNotValid),
        ] as [(Int64, SecureChannelError.Code?)])
    func `an answer is refused more than 24 hours before or after the validity of its signing key`(
        time: Int64, code: SecureChannelError.Code?
    ) throws {
        let time = Timestamp(millisecondsSinceEpoch: time)
        let device = DeviceAddress(
            tenant: "default", account: try AccountName(userID: "alice", domain: "master"),
            id: [UInt8](repeating: 1, count: 16))
        let head = MessageHead(
            device: device, requestID: [UInt8](repeating: 2, count: 16), time: time, ratchetIndex: 0)
        let message = AnswerMessage(to: UserDeleteMessage.type, head, failedCodes: 0, result: .accepted(.userDelete))
        let signed = try SignatureList([message.signed(with: pair)])
        let binding = MessageBinding(device: device, requestID: head.requestID)
        #expect(
            refusal { try AnswerMessage.verified(signed, keys: keys, type: UserDeleteMessage.type, binding: binding) }
                == code)
        #expect(refusal { try keys.requireSealingKey(of: .classic, at: time) } == code)
    }
}
