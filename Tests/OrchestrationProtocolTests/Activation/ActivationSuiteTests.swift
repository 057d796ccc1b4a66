import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct ActivationSuiteTests {
    @Test(arguments: [
        ([Suite.classic, .hybrid], [Suite.classic, .hybrid], Suite.hybrid),
        ([.classic, .hybrid], [.classic], .classic),
        ([.classic], [.classic, .hybrid], .classic), ([.hybrid, .classic, .hybrid], [.hybrid], .hybrid),
    ])
    func `the best suite that both allow is chosen`(offered: [Suite], allowed: [Suite], chosen: Suite) throws {
        let fixture = ActivationFixture(offered: offered, allowed: allowed)
        let initiator = try fixture.initiator()
        let (answer, _) = try fixture.respond(to: initiator.command)
        let session = try initiator.receive(answer)
        let suite = session.suite
        #expect(suite == chosen)
    }

    @Test func `offers without a common suite of the minimum are refused`() throws {
        let apart = ActivationFixture(offered: [.classic], allowed: [.hybrid])
        #expect(refusal { try apart.respond(to: apart.initiator().command) } == .unsupportedSuite)
        let weak = ActivationFixture(offered: [.classic], minimum: .hybrid)
        #expect(refusal { try weak.respond(to: weak.initiator().command) } == .unsupportedSuite)
        let none = ActivationFixture(offered: [])
        #expect(refusal { try none.initiator() } == .unsupportedSuite)
    }

    @Test func `an offer with unknown suites is answered with a known one`() throws {
        let fixture = ActivationFixture()
        let request = try fixture.request(fixture.initiator().command)
        var offer = request.offer
        offer.suites = [1, 7, 300]
        let newer = ActivationRequest(sessionID: request.sessionID, share: request.share, offer: offer)
        #expect(try fixture.respond(to: newer.command).state.suite == .classic)
        offer.suites = [7]
        let foreign = ActivationRequest(sessionID: request.sessionID, share: request.share, offer: offer)
        #expect(refusal { try fixture.respond(to: foreign.command) } == .unsupportedSuite)
    }

    @Test func `removing the better suite from the offer is detected`() throws {
        let fixture = ActivationFixture(offered: [.classic, .hybrid])
        let initiator = try fixture.initiator()
        let request = try fixture.request(initiator.command)
        var offer = request.offer
        offer.suites = [1]
        offer.hybridKey = nil
        let struck = ActivationRequest(sessionID: request.sessionID, share: request.share, offer: offer)
        let (answer, state) = try fixture.respond(to: struck.command)
        #expect(state.suite == .classic)
        #expect(refusal(of: initiator, receiving: answer) == .wrongActivationPassword)
    }

    @Test func `a choice that was not offered is refused before any secret is used`() throws {
        let fixture = ActivationFixture(offered: [.classic])
        let initiator = try fixture.initiator()
        let (answer, _) = try fixture.respond(to: initiator.command)
        let message = try ActivationAnswer(decoding: answer.bytes)
        let choice = ActivationChoice(suite: 2, hybridCiphertext: [UInt8](repeating: 9, count: 1120))
        let body = ActivationAnswerBody(sessionID: message.sessionID, share: message.share, choice: choice)
        let command = ActivationAnswer(body: body, tag: message.tag).command
        #expect(refusal(of: initiator, receiving: command) == .unsupportedSuite)
    }

    @Test func `a changed X-Wing key or ciphertext is detected`() throws {
        let fixture = ActivationFixture(offered: [.hybrid])
        let command = try fixture.initiator().command
        let request = try fixture.request(command)
        let (answer, _) = try fixture.respond(to: command)
        let message = try ActivationAnswer(decoding: answer.bytes)
        let ciphertext = try #require(message.choice.hybridCiphertext)
        let key = try #require(request.offer.hybridKey)
        for index in stride(from: 0, to: ciphertext.count, by: 97) + [ciphertext.count - 1] {
            var altered = ciphertext
            altered[index] ^= 1
            let choice = ActivationChoice(suite: 2, hybridCiphertext: altered)
            let body = ActivationAnswerBody(sessionID: message.sessionID, share: message.share, choice: choice)
            let forged = ActivationAnswer(body: body, tag: message.tag).command
            let initiator = try fixture.initiator()
            #expect(refusal(of: initiator, receiving: forged) == .wrongActivationPassword)
        }
        for index in stride(from: 0, to: key.count, by: 301) {
            var offer = request.offer
            offer.hybridKey?[index] ^= 1
            let forged = ActivationRequest(sessionID: request.sessionID, share: request.share, offer: offer)
            // The platform may refuse the key; otherwise the tags differ.
            guard let (reply, _) = try? fixture.respond(to: forged.command) else { continue }
            let initiator = try fixture.initiator()
            #expect(refusal(of: initiator, receiving: reply) == .wrongActivationPassword)
        }
        var offer = request.offer
        offer.hybridKey = key.dropLast(32) + [UInt8](repeating: 0, count: 32)
        let halved = ActivationRequest(sessionID: request.sessionID, share: request.share, offer: offer)
        #expect(refusal { try fixture.respond(to: halved.command) } == .lowOrderPoint)
    }
}
