import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct ActivationSessionTests {
    private func session(
        seed: UInt64 = 1
    ) throws -> (command: OrchestrationCommand, answer: OrchestrationCommand, state: ActivationResponderState) {
        let fixture = ActivationFixture(seed: seed)
        let initiator = try fixture.initiator()
        let (answer, state) = try fixture.respond(to: initiator.command)
        return (initiator.command, answer, state)
    }

    private func client(_ answer: OrchestrationCommand, seed: UInt64 = 1) throws -> ActivationSession {
        try ActivationFixture(seed: seed).initiator().receive(answer)
    }

    @Test func `request 2 has the same bytes again, and a second registration is not sealed`() throws {
        let (_, answer, _) = try session()
        var client = try client(answer)
        let first = try client.seal(ActivationFixture.registration, random: SeededRandom(4))
        let second = try client.seal(ActivationFixture.registration, random: SeededRandom(4))
        #expect(first == second)
        var other = ActivationFixture.registration
        other.deviceName = "tablet"
        do {
            _ = try client.seal(other, random: SeededRandom(4))
            Issue.record("a second registration was sealed under one key")
        } catch {
            #expect(error.code == .malformed)
        }
    }

    @Test func `every flipped bit of request 2 is refused`() throws {
        let (_, answer, state) = try session()
        var client = try client(answer)
        let command = try client.seal(ActivationFixture.registration, random: SeededRandom(4))
        var opened = 0
        for flipped in command.bytes.bitFlips {
            guard let request = try? ActivationKeyRequest(decoding: flipped) else { continue }
            opened += 1
            #expect(refusal { try state.open(request) } != nil)
        }
        #expect(opened > 1000)
        #expect(refusal { try state.open(ActivationKeyRequest(decoding: command.bytes)) } == nil)
    }

    @Test func `every flipped bit of answer 2 is refused`() throws {
        let (_, answer, state) = try session()
        let client = try client(answer)
        let command = try state.seal(ActivationFixture.provisioning, random: SeededRandom(7))
        for flipped in command.bytes.bitFlips {
            guard let altered = try? OrchestrationCommand(bytes: flipped) else { continue }
            #expect(refusal { _ = try client.open(altered) } != nil)
        }
        #expect(refusal { _ = try client.open(command) } == nil)
    }

    @Test func `a sealed message opens only in its direction, step and session`() throws {
        let (_, answer, _) = try session()
        var client = try client(answer)
        let command = try client.seal(ActivationFixture.registration, random: SeededRandom(4))
        let request = try ActivationKeyRequest(decoding: command.bytes)
        let reflected = ActivationKeyAnswer(
            sessionID: request.sessionID, random: [UInt8](repeating: 9, count: 32),
            ciphertext: request.sealed.ciphertext)
        #expect(refusal { _ = try client.open(reflected.command) } == .notAuthentic)
        let bare = Encrypt0(header: COSEHeader(algorithm: .a256GCM), ciphertext: request.sealed.ciphertext)
        let unsalted = CBORValue.array([.unsigned(4), .bytes(request.sessionID), .bytes(bare.encoded)])
        #expect(throws: WireError(.missingHeader)) { try ActivationKeyAnswer(decoding: unsalted.encoded) }
        #expect(refusal { _ = try client.open(command) } == .wrongRequest)
        #expect(refusal { _ = try client.open(answer) } == .wrongRequest)

        let (_, otherAnswer, otherState) = try session(seed: 2)
        let otherProvisioning = try otherState.seal(ActivationFixture.provisioning, random: SeededRandom(8))
        #expect(refusal { _ = try client.open(otherProvisioning) } == .wrongSession)
        #expect(refusal { _ = try otherState.open(request) } == .wrongSession)
        let other = try ActivationKeyAnswer(decoding: otherProvisioning.bytes)
        let moved = ActivationKeyAnswer(
            sessionID: request.sessionID, random: other.random, ciphertext: other.sealed.ciphertext)
        #expect(refusal { _ = try client.open(moved.command) } == .notAuthentic)
        let no = ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
        let reply = try client.reply(in: Envelope(decoding: no))
        #expect(reply == .refusal(.refused))
        #expect(otherAnswer != answer)
    }

    @Test func `a device key that is not a point of the curve is refused`() throws {
        let (_, answer, state) = try session()
        var client = try client(answer)
        var registration = ActivationFixture.registration
        registration.deviceKey = [5] + registration.deviceKey.dropFirst()
        let request = try ActivationKeyRequest(decoding: client.seal(registration, random: SeededRandom(4)).bytes)
        #expect(refusal { _ = try state.open(request) } == .malformed)
    }

    @Test func `every input of the secrets changes all four`() throws {
        let (_, answer, state) = try session()
        _ = answer
        let (registration, provisioning) = (ActivationFixture.registration, ActivationFixture.provisioning)
        var seen = Set(state.secrets(registration: registration, provisioning: provisioning).all)
        var otherRandom = registration
        otherRandom.clientRandom[0] ^= 1
        seen.formUnion(state.secrets(registration: otherRandom, provisioning: provisioning).all)
        var otherDevice = provisioning
        otherDevice.deviceID[0] ^= 1
        seen.formUnion(state.secrets(registration: registration, provisioning: otherDevice).all)
        var otherPlatformRandom = provisioning
        otherPlatformRandom.platformRandom[0] ^= 1
        seen.formUnion(state.secrets(registration: registration, provisioning: otherPlatformRandom).all)
        seen.formUnion(try session(seed: 2).state.secrets(registration: registration, provisioning: provisioning).all)
        #expect(seen.count == 20)
    }

    @Test func `a stored state is decoded, and other bytes are refused`() throws {
        let (_, answer, state) = try session()
        var client = try client(answer)
        let bytes = state.encoded().revealed
        let again = try ActivationResponderState(decoding: SecretBytes(copying: bytes))
        #expect(again.encoded().revealed == bytes)
        #expect(again.sessionID == state.sessionID)
        let request = try ActivationKeyRequest(
            decoding: client.seal(ActivationFixture.registration, random: SeededRandom(4)).bytes)
        #expect(try again.open(request) == ActivationFixture.registration)
        for cut in bytes.truncations {
            #expect(refusal { try ActivationResponderState(decoding: SecretBytes(copying: cut)) } == .malformed)
        }
        for wrong in [bytes + [0], [0] + bytes.dropFirst(), [2] + bytes.dropFirst(), [1, 9] + bytes.dropFirst(2)] {
            #expect(refusal { try ActivationResponderState(decoding: SecretBytes(copying: wrong)) } == .malformed)
        }
    }

    @Test func `an answer 2 that is made twice has two keys, and both open`() throws {
        let (_, answer, state) = try session()
        let client = try client(answer)
        let source = SeededRandom(9)
        let commands = try (0..<2).map { _ in try state.seal(ActivationFixture.provisioning, random: source) }
        let answers = try commands.map { try ActivationKeyAnswer(decoding: $0.bytes) }
        #expect(answers[0].random != answers[1].random)
        // One key and one nonce would give one ciphertext, up to the tag.
        let (first, second) = (answers[0].sealed.ciphertext, answers[1].sealed.ciphertext)
        #expect(first.dropLast(16) != second.dropLast(16))
        for command in commands { #expect(try client.open(command) == ActivationFixture.provisioning) }
        let exchanged = ActivationKeyAnswer(
            sessionID: answers[0].sessionID, random: answers[1].random, ciphertext: first)
        #expect(refusal { _ = try client.open(exchanged.command) } == .notAuthentic)
    }

    @Test func `an error shows its code and its place, and compares by its code`() throws {
        let error = SecureChannelError(.wrongActivationPassword, blame: .user, "the platform's tag is wrong")
        #expect(error == SecureChannelError(.wrongActivationPassword, blame: .peer, "other words"))
        #expect(error != SecureChannelError(.wrongParty, blame: .user, "the platform's tag is wrong"))
        #expect("\(error)" == "wrongActivationPassword: the platform's tag is wrong")
        #expect(String(reflecting: error).hasPrefix("\(error) [OrchestrationProtocolTests/"))
    }
}
