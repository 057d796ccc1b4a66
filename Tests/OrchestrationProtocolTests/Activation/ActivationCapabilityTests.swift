import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct ActivationCapabilityTests {
    private static func fixture(
        _ device: Set<Capability>, _ platform: Set<Capability>
    ) -> ActivationFixture { ActivationFixture(capabilities: device, platformCapabilities: platform) }

    @Test(
        arguments: [
            ([.hostCodes, .oneTimePasswords], [.oneTimePasswords, .challengeCodes, .hostCodes], [1, 3]),
            ([.oneTimePasswords], [.hostCodes], []), ([], [.hostCodes], []), ([.challengeCodes], [], []),
            (Capability.device, Capability.device, [1, 2, 3, 4, 5]),
        ] as [(Set<Capability>, Set<Capability>, [UInt64])])
    func `what both sides have is agreed`(
        device: Set<Capability>, platform: Set<Capability>, agreed: [UInt64]
    ) throws {
        let fixture = Self.fixture(device, platform)
        let initiator = try fixture.initiator()
        #expect(try fixture.request(initiator.command).offer.capabilities == device.numbers)
        let (answer, _) = try fixture.respond(to: initiator.command)
        let session = try initiator.receive(answer)
        let capabilities = session.capabilities
        #expect(capabilities == agreed)
    }

    @Test func `unknown capabilities of an offer are not agreed`() throws {
        let fixture = Self.fixture([], [.oneTimePasswords, .hostCodes])
        let request = try fixture.request(fixture.initiator().command)
        var offer = request.offer
        offer.capabilities = [0, 3, 4, 300, UInt64(Int64.max)]
        let newer = ActivationRequest(sessionID: request.sessionID, share: request.share, offer: offer)
        let answer = try ActivationAnswer(decoding: fixture.respond(to: newer.command).answer.bytes)
        #expect(answer.choice.capabilities == [3])
    }

    @Test(arguments: [[1, 3], [2], [99]] as [[UInt64]])
    func `a capability that was not offered is refused before any secret is used`(chosen: [UInt64]) throws {
        let fixture = Self.fixture([.oneTimePasswords], [.oneTimePasswords])
        let initiator = try fixture.initiator()
        let message = try ActivationAnswer(decoding: fixture.respond(to: initiator.command).answer.bytes)
        let body = ActivationAnswerBody(
            sessionID: message.sessionID, share: message.share,
            choice: ActivationChoice(suite: message.choice.suite, capabilities: chosen))
        let altered = ActivationAnswer(body: body, tag: message.tag).command
        #expect(refusal(of: initiator, receiving: altered) == .malformed)
    }

    @Test func `removing a capability from the offer or the choice is detected`() throws {
        let fixture = Self.fixture([.oneTimePasswords, .hostCodes], [.oneTimePasswords, .hostCodes])
        let struck = try fixture.initiator()
        let request = try fixture.request(struck.command)
        var offer = request.offer
        offer.capabilities = [1]
        let lesser = ActivationRequest(sessionID: request.sessionID, share: request.share, offer: offer)
        let answer = try fixture.respond(to: lesser.command).answer
        #expect(refusal(of: struck, receiving: answer) == .wrongActivationPassword)

        let initiator = try fixture.initiator()
        let message = try ActivationAnswer(decoding: fixture.respond(to: initiator.command).answer.bytes)
        let body = ActivationAnswerBody(
            sessionID: message.sessionID, share: message.share,
            choice: ActivationChoice(suite: message.choice.suite, capabilities: [1]))
        let altered = ActivationAnswer(body: body, tag: message.tag).command
        #expect(refusal(of: initiator, receiving: altered) == .wrongActivationPassword)
    }
}
