import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct ChannelTests {
    @Test(arguments: Suite.allCases)
    func `a request and its answer are sealed and opened`(suite: Suite) throws {
        let fixture = try ChannelFixture(suite)
        for plaintext in [ChannelFixture.plaintext, [], [UInt8](repeating: 7, count: 20_000)] {
            let (command, opener) = try fixture.seal(plaintext)
            let (opened, sealer) = try fixture.open(command)
            #expect(opened == plaintext)
            let answer = try sealer.seal(plaintext, random: SeededRandom(3))
            #expect(try opener.open(answer) == plaintext)
            #expect(try opener.open(answer) == plaintext)
            #expect(try ChannelRequest(decoding: command).hash == opener.requestHash)
        }
    }

    @Test func `a stored key pair opens messages that are sealed to it`() throws {
        for suite in Suite.allCases {
            let fixture = try ChannelFixture(suite)
            let again = try SealingKeyPair(suite: suite, privateRepresentation: fixture.pair.privateRepresentation)
            #expect(again.publicKey == fixture.pair.publicKey)
            #expect(try fixture.open(fixture.seal().command, with: again).plaintext == ChannelFixture.plaintext)
            let short = SecretBytes(copying: [UInt8](repeating: 1, count: 31))
            #expect(refusal { _ = try SealingKeyPair(suite: suite, privateRepresentation: short) } == .malformed)
        }
    }

    @Test(arguments: Suite.allCases)
    func `every flipped bit of a request is refused`(suite: Suite) throws {
        let fixture = try ChannelFixture(suite)
        let command = try fixture.seal().command
        // Suite 2 has 9,000 more bits of ciphertext. A step of 7 bits still changes each byte.
        let step = suite == .classic ? 1 : 7
        for bit in stride(from: 0, to: command.bytes.count * 8, by: step) {
            var flipped = command.bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let altered = try? OrchestrationCommand(bytes: flipped) else { continue }
            #expect(refusal { try fixture.open(altered) } != nil, "bit \(bit)")
        }
        #expect(refusal { try fixture.open(command) } == nil)
    }

    @Test func `every flipped bit of an answer is refused`() throws {
        let fixture = try ChannelFixture()
        let (command, opener) = try fixture.seal()
        let answer = try fixture.answer(command)
        for flipped in answer.bytes.bitFlips {
            guard let altered = try? OrchestrationCommand(bytes: flipped) else { continue }
            #expect(refusal { try opener.open(altered) } != nil)
        }
        #expect(refusal { try opener.open(answer) } == nil)
    }

    @Test func `shortened and extended ciphertexts are refused`() throws {
        let fixture = try ChannelFixture()
        let (command, opener) = try fixture.seal()
        let answer = try fixture.answer(command)
        func variants(of command: OrchestrationCommand) throws -> [OrchestrationCommand] {
            let message = try Encrypt0(decoding: command.bytes, policy: .strict)
            var ciphertexts = (16..<message.ciphertext.count).map { Array(message.ciphertext[..<$0]) }
            ciphertexts.append(message.ciphertext + [0])
            ciphertexts.append([0] + message.ciphertext)
            ciphertexts.append(message.ciphertext + message.ciphertext)
            return ciphertexts.map { Encrypt0(header: message.header, ciphertext: $0).command }
        }
        for altered in try variants(of: command) {
            #expect(refusal { try fixture.open(altered) } == .notAuthentic)
        }
        for altered in try variants(of: answer) {
            #expect(refusal { try opener.open(altered) } == .notAuthentic)
        }
    }

    @Test func `a request is not accepted as an answer, nor an answer as a request`() throws {
        let fixture = try ChannelFixture()
        let (command, opener) = try fixture.seal()
        let answer = try fixture.answer(command)
        #expect(refusal { try opener.open(command) } == .wrongRequest)
        #expect(refusal { try fixture.open(answer) } == .wrongRequest)
        let plain = try ActivationFixture().initiator().command
        #expect(refusal { try opener.open(plain) } == .wrongRequest)
        #expect(refusal { try fixture.open(plain) } == .wrongRequest)
        // The ciphertext of one under the header of the other.
        let request = try Encrypt0(decoding: command.bytes, policy: .strict)
        let reply = try Encrypt0(decoding: answer.bytes, policy: .strict)
        let reflected = Encrypt0(header: reply.header, ciphertext: request.ciphertext).command
        #expect(refusal { try opener.open(reflected) } == .notAuthentic)
        let returned = Encrypt0(header: request.header, ciphertext: reply.ciphertext).command
        #expect(refusal { try fixture.open(returned) } == .notAuthentic)
    }

    @Test func `an answer opens with its own request only`() throws {
        let fixture = try ChannelFixture()
        let (first, firstOpener) = try fixture.seal()
        let (second, secondOpener) = try fixture.seal()
        #expect(first != second)
        let answer = try fixture.answer(first)
        #expect(refusal { try secondOpener.open(answer) } == .wrongRequest)
        let moved = try ChannelFixture.forgeAnswer(answer) { $0.requestHash = secondOpener.requestHash }
        #expect(refusal { try secondOpener.open(moved) } == .notAuthentic)
        let other = try ChannelFixture.forgeAnswer(answer) { $0.deviceID = [UInt8](repeating: 5, count: 16) }
        #expect(refusal { try firstOpener.open(other) } == .wrongParty)
        let reseeded = try ChannelFixture.forgeAnswer(answer) { $0.random[0] ^= 1 }
        #expect(refusal { try firstOpener.open(reseeded) } == .notAuthentic)
        #expect(try firstOpener.open(answer) == ChannelFixture.reply)
    }

    @Test func `an answer made twice has two keys, and both open`() throws {
        let fixture = try ChannelFixture()
        let (command, opener) = try fixture.seal()
        let sealer = try fixture.open(command).answer
        let first = try sealer.seal(ChannelFixture.reply, random: SeededRandom(1))
        let second = try sealer.seal(ChannelFixture.reply, random: SeededRandom(2))
        let ciphertexts = try [first, second].map { try Encrypt0(decoding: $0.bytes, policy: .strict).ciphertext }
        #expect(ciphertexts[0] != ciphertexts[1])
        #expect(try opener.open(first) == ChannelFixture.reply)
        #expect(try opener.open(second) == ChannelFixture.reply)
    }

    @Test func `ids of a wrong length are not sealed`() throws {
        var fixture = try ChannelFixture()
        fixture.requestID = [1]
        #expect(refusal { try fixture.seal() } == .malformed)
        fixture = try ChannelFixture()
        fixture.identity = fixture.identity(deviceID: [1, 2])
        #expect(refusal { try fixture.seal() } == .malformed)
    }

    @Test func `a request is timely until its expiry and at most five minutes before`() throws {
        let request = try ChannelRequest(decoding: ChannelFixture().seal().command)
        let expiry = ChannelFixture.expiry
        for (milliseconds, timely) in [(0, true), (-300_000, true), (-300_001, false), (1, false), (-1, true)] {
            #expect(request.isTimely(at: expiry.advanced(milliseconds: Int64(milliseconds))) == timely)
        }
        #expect(!request.isTimely(at: Timestamp(millisecondsSinceEpoch: .min)))
        #expect(!request.isTimely(at: Timestamp(millisecondsSinceEpoch: .max)))
        #expect(request.rememberUntil == expiry.advanced(seconds: 60))
    }
}
