import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct ActivationTests {
    @Test(arguments: Suite.allCases)
    func `two sides with the same activation password derive the same secrets`(suite: Suite) throws {
        let fixture = ActivationFixture(offered: [suite])
        let initiator = try fixture.initiator()
        let (answer, state) = try fixture.respond(to: initiator.command)
        var session = try initiator.receive(answer)
        let chosen = session.suite
        #expect(chosen == suite && state.suite == suite)

        let command = try session.seal(ActivationFixture.registration, random: SeededRandom(4))
        let stored = try ActivationResponderState(decoding: state.encoded())
        let registration = try stored.open(ActivationKeyRequest(decoding: command.bytes))
        #expect(registration == ActivationFixture.registration)
        let provisioning = try session.open(stored.seal(ActivationFixture.provisioning, random: SeededRandom(5)))
        #expect(provisioning == ActivationFixture.provisioning)

        let client = session.secrets(registration: registration, provisioning: provisioning).all
        let platform = stored.secrets(registration: registration, provisioning: provisioning).all
        #expect(client == platform)
        #expect(Set(client).count == 4 && client.allSatisfy { $0.count == 32 })
    }

    @Test func `a side with another activation password, account or tenant is detected by its tag`() throws {
        var fixtures: [ActivationFixture] = []
        fixtures.append(ActivationFixture(platformCode: "A2B3C4D6"))
        fixtures.append(ActivationFixture(platformTenant: "other"))
        fixtures.append(ActivationFixture(platformUser: "bob"))
        fixtures.append(ActivationFixture(platformCode: "A2B3C4D6", offered: [.hybrid]))
        for fixture in fixtures {
            let initiator = try fixture.initiator()
            let (answer, _) = try fixture.respond(to: initiator.command)
            #expect(refusal(of: initiator, receiving: answer) == .wrongActivationPassword)
        }
    }

    @Test func `an authenticator without the activation password is detected by its tag`() throws {
        // Such a program can only answer with a tag of its own.
        let fixture = ActivationFixture()
        let initiator = try fixture.initiator()
        let (answer, state) = try fixture.respond(to: initiator.command)
        var session = try initiator.receive(answer)
        let request = try ActivationKeyRequest(
            decoding: session.seal(ActivationFixture.registration, random: SeededRandom(4)).bytes)
        for tag in request.tag.bitFlips {
            let forged = ActivationKeyRequest(
                sessionID: request.sessionID, tag: tag, random: request.random, ciphertext: request.sealed.ciphertext)
            #expect(refusal { try state.open(forged) } == .wrongActivationPassword)
        }
        let platformTag = try ActivationAnswer(decoding: answer.bytes).tag
        let reflected = ActivationKeyRequest(
            sessionID: request.sessionID, tag: platformTag, random: request.random,
            ciphertext: request.sealed.ciphertext)
        #expect(refusal { try state.open(reflected) } == .wrongActivationPassword)
        #expect(refusal { try state.open(request) } == nil)
    }

    @Test func `every flipped bit of answer 1 is refused`() throws {
        let fixture = ActivationFixture()
        let first = try fixture.initiator()
        let (answer, _) = try fixture.respond(to: first.command)
        for flipped in answer.bytes.bitFlips {
            guard let command = try? OrchestrationCommand(bytes: flipped) else { continue }
            let initiator = try fixture.initiator()
            let code = refusal(of: initiator, receiving: command)
            #expect(code != nil)
        }
        #expect(refusal(of: first, receiving: answer) == nil)
    }

    @Test func `every flipped bit of request 1 ends in a refusal on one of the sides`() throws {
        let fixture = ActivationFixture()
        let command = try fixture.initiator().command
        var answered = 0
        for flipped in command.bytes.bitFlips {
            guard let altered = try? OrchestrationCommand(bytes: flipped),
                let (answer, _) = try? fixture.respond(to: altered)
            else { continue }
            answered += 1
            let initiator = try fixture.initiator()
            let code = refusal(of: initiator, receiving: answer)
            #expect(code == .wrongActivationPassword || code == .wrongSession)
        }
        #expect(answered > 300)
    }

    @Test func `points of low order are refused on both sides`() throws {
        let fixture = ActivationFixture()
        let initiator = try fixture.initiator()
        let request = try fixture.request(initiator.command)
        let (answer, _) = try fixture.respond(to: initiator.command)
        let message = try ActivationAnswer(decoding: answer.bytes)
        let zero = [UInt8](repeating: 0, count: 32)
        let badRequest = ActivationRequest(sessionID: request.sessionID, share: zero, offer: request.offer)
        #expect(refusal { try fixture.respond(to: badRequest.command) } == .lowOrderPoint)
        let body = ActivationAnswerBody(sessionID: message.sessionID, share: zero, choice: message.choice)
        let badAnswer = ActivationAnswer(body: body, tag: message.tag).command
        #expect(refusal(of: initiator, receiving: badAnswer) == .lowOrderPoint)
    }

    @Test func `stray commands do not change the initiator`() throws {
        let fixture = ActivationFixture()
        let initiator = try fixture.initiator()
        let other = try ActivationFixture(seed: 2).initiator()
        let (foreign, _) = try fixture.respond(to: other.command)
        let (answer, _) = try fixture.respond(to: initiator.command)
        let request = try fixture.request(initiator.command)
        let own = initiator.command
        #expect(refusal { _ = try initiator.reply(in: Envelope(opening: foreign)) } == .wrongSession)
        #expect(refusal { _ = try initiator.reply(in: Envelope(opening: own)) } == .wrongRequest)
        let strange = try OrchestrationCommand(bytes: [0x82, 0x09, 0x00])
        #expect(throws: WireError(.unexpectedMessage)) { try Envelope(decoding: strange) }
        let no = ActivationRefusal(sessionID: request.sessionID, reason: .deviceLimitReached).command
        let reply = try initiator.reply(in: Envelope(decoding: no))
        #expect(reply == .refusal(.deviceLimitReached))
        #expect(refusal(of: initiator, receiving: answer) == nil)
    }

    @Test func `a refusal is a reply, and a foreign answer is an error that says so`() throws {
        let fixture = ActivationFixture()
        let first = try fixture.initiator()
        let request = try fixture.request(first.command)
        let no = ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
        let reply = try first.reply(in: Envelope(decoding: no))
        #expect(reply == .refusal(.refused))
        let (foreign, _) = try fixture.respond(to: ActivationFixture(seed: 2).initiator().command)
        let second = try fixture.initiator()
        #expect(refusal(of: second, receiving: foreign) == .wrongSession)
        let third = try fixture.initiator()
        let own = third.command
        #expect(refusal(of: third, receiving: own) == .wrongRequest)
    }

    @Test func `answers for a real activation password and a decoy have the same length`() throws {
        for suite in Suite.allCases {
            let real = ActivationFixture(offered: [suite])
            let command = try real.initiator().command
            var madeUp = real
            madeUp.platformCode = "ZZZZZZZZ"
            #expect(try real.respond(to: command).answer.bytes.count == madeUp.respond(to: command).answer.bytes.count)
        }
    }
}
