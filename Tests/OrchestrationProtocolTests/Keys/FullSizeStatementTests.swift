import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Statements with two keys of each kind, also of ML-DSA-65, and with a signature of each signing algorithm.
@Suite struct FullSizeStatementTests {
    private let signing: [SigningKeyPair]
    private let row: [KeyStatement]
    private let lists: [SignatureList]

    init() throws {
        let signing = try ([1, 2] as [UInt8]).map { seed in
            try SigningKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
        }
        let futures = ([3, 4] as [UInt8]).map { byte in
            let bytes = [UInt8](repeating: byte, count: 1_952)
            return StatedKey(
                kid: PlatformPublicKey.keyID(of: bytes), use: .signing, algorithm: COSEAlgorithm.mlDSA65.rawValue,
                bytes: bytes, notBefore: Timestamp(millisecondsSinceEpoch: 0))
        }
        let sealing = [Suite.classic, .classic, .hybrid, .hybrid].enumerated().map { number, suite in
            let count = suite == .classic ? 32 : 1_216
            return PlatformPublicKey(suite: suite, bytes: [UInt8](repeating: UInt8(number + 5), count: count))
        }
        let keys = signing.map { StatedKey($0) } + futures + sealing.map { StatedKey($0) }
        var row = [KeyStatement.first(keys)]
        for time in 1...9 { row.append(row[time - 1].next(keys, at: Int64(time))) }
        self.signing = signing
        self.row = row
        lists = try row.map { try Sign1Forgery.adding(algorithm: .mlDSA65, to: $0.signed(with: [signing[0]])) }
    }

    @Test func `a statement and its signatures have the expected sizes, within the limits`() throws {
        #expect((6_600...7_000).contains(row[0].encoded.count))
        for list in lists {
            #expect((16_500...17_500).contains(list.encoded.count))
            #expect(try SignatureList(decoding: list.encoded) == list)
        }
    }

    @Test(arguments: Suite.allCases) func `answer 2 of an activation brings such a statement`(suite: Suite) throws {
        let fixture = ActivationFixture(offered: [suite])
        let initiator = try fixture.initiator()
        let (answer, state) = try fixture.respond(to: initiator.command)
        var session = try initiator.receive(answer)
        _ = try state.open(
            ActivationKeyRequest(decoding: session.seal(ActivationFixture.registration, random: SeededRandom(4)).bytes))
        var provisioning = ActivationFixture.provisioning
        provisioning.statement = lists[0]
        let command = try state.seal(provisioning, random: SeededRandom(5))
        let received = try ActivationKeyAnswer(decoding: command.bytes)
        #expect(received.sealed.encoded.count > 16_384)
        let opened = try session.open(received)
        #expect(opened == provisioning)
        #expect(try KeyStatement.verified(first: opened.statement, suite: suite) == row[0])
    }

    @Test(arguments: Suite.allCases) func `an answer holds as many of them as a command can carry`(suite: Suite) throws
    {
        // Also with full-size signatures over the answer itself.
        let head = MessageHead(
            tenant: "default", account: "alice@master", deviceID: [UInt8](repeating: 0x11, count: 16),
            requestID: [UInt8](repeating: 0x77, count: 16), time: Timestamp(millisecondsSinceEpoch: 9),
            ratchetIndex: 3)
        var message = AnswerMessage(
            to: UserDeleteMessage.type, head, failedCodes: 0, result: .accepted(.userDelete))
        message.extensions = [1: .bytes([UInt8](repeating: 1, count: 4_000))]
        let signed = try Sign1Forgery.adding(
            algorithm: .mlDSA65, to: SignatureList([message.signed(with: signing[1])]))
        let fixture = try ChannelFixture(suite)
        var known = row[0]
        var answers = 0
        while known.sequence < 10 {
            let following = lists.dropFirst(Int(known.sequence))
            let count = SealedAnswer.count(fitting: following)
            #expect(count == min(2, following.count))
            let sealed = SealedAnswer(message: signed, statements: Array(following.prefix(count)))
            let (request, opener) = try fixture.seal()
            let command = try fixture.answer(request, sealed.encoded)
            guard case .sealed(let answer) = try Envelope(decoding: command) else {
                Issue.record("an answer of the channel")
                return
            }
            let opened = try SealedAnswer(decoding: opener.open(answer))
            #expect(opened == sealed)
            known = try known.verified(following: opened.statements, suite: suite)
            answers += 1
        }
        #expect(known == row[9] && answers == 5)
    }

    @Test func `small statements come eight at a time, and a large one comes alone`() throws {
        let small = try KeyStatement.first([StatedKey(signing[0])]).signed(with: [signing[0]])
        #expect(SealedAnswer.count(fitting: Array(repeating: small, count: 9)) == 8)
        #expect(SealedAnswer.count(fitting: Array(repeating: small, count: 8)) == 8)
        #expect(SealedAnswer.count(fitting: [small]) == 1)
        #expect(SealedAnswer.count(fitting: []) == 0)
        let large = try Sign1Forgery.adding(algorithm: .mlDSA65, to: row[0].signed(with: signing))
        #expect(large.encoded.count < FieldLimit.statementBytes)
        #expect(SealedAnswer.count(fitting: [large, small]) == 2)
        #expect(SealedAnswer.count(fitting: [large, large]) == 1)
        #expect(SealedAnswer.count(fitting: [small, large, large]) == 2)
    }
}
