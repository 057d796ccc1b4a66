import Crypto
import Primitives
import TestSupport
import Testing

@testable import OrchestrationProtocol

/// Two copies of a virtual machine: they have the same secrets and draw the same random bytes.
@Suite struct HedgedRandomTests {
    /// A sealed text, with the random value in its header.
    private struct Sealed {
        let text: [UInt8]
        let random: [UInt8]
        let ciphertext: [UInt8]

        /// Whether both were sealed with one random value, or with one key and nonce: two ciphertexts of one key stream
        /// differ as their texts do.
        func sharesKey(with other: Sealed) -> Bool {
            let count = min(text.count, other.text.count)
            precondition(count >= 16, "a text that is too short to show a key stream")
            return random == other.random
                || (0..<count).allSatisfy {
                    text[$0] ^ other.text[$0] == ciphertext[$0] ^ other.ciphertext[$0]
                }
        }
    }

    /// Texts that differ in their last byte, in their length, and everywhere.
    private static let texts: [[UInt8]] = [
        Array("the first text of a copy".utf8), Array("the first text of a copx".utf8),
        Array("the first text of a copy, and more".utf8), [UInt8](repeating: 0, count: 40),
    ]

    /// Returns the number of pairs that share a key.
    private func collisions(_ messages: [Sealed]) -> Int {
        messages.indices.reduce(0) { count, first in
            count + messages[(first + 1)...].filter { messages[first].sharesKey(with: $0) }.count
        }
    }

    private func sealed(_ text: [UInt8], _ message: Encrypt0, _ label: Int64) throws -> Sealed {
        Sealed(
            text: text, random: try message.header.bytes(label, count: FieldSize.random),
            ciphertext: message.ciphertext)
    }

    // MARK: The channel

    private static let presharedKey = SymmetricKey(data: [UInt8](repeating: 0x22, count: 32))

    /// Returns a request of a copy whose KEM has made the same exported secret.
    ///
    /// - Parameter random: Returns the random value for a text.
    private func request(_ text: [UInt8], random: ([UInt8]) -> [UInt8]) throws -> Sealed {
        let random = random(text)
        let key = ChannelKeys.request(
            exported: SymmetricKey(data: [UInt8](repeating: 0x31, count: 32)), presharedKey: Self.presharedKey,
            random: random)
        let message = try key.seal(text, header: COSEHeader(algorithm: .a256GCM))
        return Sealed(text: text, random: random, ciphertext: message.ciphertext)
    }

    /// The random value that the client makes, with the same random bytes for each text.
    private func hedged(_ text: [UInt8]) -> [UInt8] {
        ChannelKeys.requestRandom(for: text, presharedKey: Self.presharedKey, random: SeededRandom(5))
    }

    @Test func `two requests of two copies share no key`() throws {
        let messages = try Self.texts.map { try request($0, random: hedged) }
        #expect(collisions(messages) == 0)
    }

    @Test func `a constant value, and random bytes without the text, are found`() throws {
        let constant = try Self.texts.map { text in
            try request(text) { _ in [UInt8](repeating: 7, count: 32) }
        }
        #expect(collisions(constant) == 6)
        let random = try Self.texts.map { text in try request(text) { _ in SeededRandom(5).bytes(32) } }
        #expect(collisions(random) == 6)
    }

    @Test func `a value that does not enter the key is found`() throws {
        let messages = try Self.texts.map { text in
            let sealed = try request(text) { _ in [UInt8](repeating: 7, count: 32) }
            return Sealed(text: text, random: hedged(text), ciphertext: sealed.ciphertext)
        }
        #expect(collisions(messages) == 6)
    }

    @Test func `one text has one value in both copies`() throws {
        let pair = try (0..<2).map { _ in try request(Self.texts[0], random: hedged) }
        #expect(pair[0].random == pair[1].random && pair[0].ciphertext == pair[1].ciphertext)
    }

    @Test(arguments: Suite.allCases)
    func `a client seals with a value of its random bytes and the text`(suite: Suite) throws {
        let fixture = try ChannelFixture(suite)
        for text in Self.texts {
            let command = try fixture.seal(text, seed: 5).command
            #expect(try ChannelRequest(decoding: command).header.random == hedged(text))
            #expect(try fixture.open(command).plaintext == text)
        }
    }

    @Test func `the random bytes, the pre-shared key and the direction change the value`() {
        let text = Self.texts[0]
        let other = SymmetricKey(data: [UInt8](repeating: 0x23, count: 32))
        let values = [
            hedged(text),
            ChannelKeys.requestRandom(for: text, presharedKey: Self.presharedKey, random: SeededRandom(6)),
            ChannelKeys.requestRandom(for: text, presharedKey: other, random: SeededRandom(5)),
            ChannelKeys.answerRandom(for: text, to: [], presharedKey: Self.presharedKey, random: SeededRandom(5)),
        ]
        #expect(Set(values).count == 4 && values.allSatisfy { $0.count == 32 })
    }

    @Test func `two answers of two copies share no key, and one answer is sealed to the same bytes`() throws {
        let fixture = try ChannelFixture()
        let (command, opener) = try fixture.seal()
        let sealer = try fixture.open(command).answer
        var messages: [Sealed] = []
        for text in Self.texts {
            let answer = try sealer.seal(text, random: SeededRandom(5))
            #expect(try opener.open(answer) == text)
            #expect(try sealer.seal(text, random: SeededRandom(5)) == answer)
            messages.append(try sealed(text, Encrypt0(decoding: answer.bytes), COSELabel.answerRandom))
        }
        #expect(collisions(messages) == 0)
    }

    @Test func `one answer to two requests with one exported secret has two keys`() throws {
        let fixture = try ChannelFixture()
        let messages = try [0x41, 0x42].map { (byte: UInt8) in
            let sealer = AnswerSealer(
                identity: fixture.identity, exported: SymmetricKey(data: [UInt8](repeating: 0x31, count: 32)),
                requestHash: [UInt8](repeating: byte, count: 32))
            let answer = try sealer.seal(Self.texts[0], random: SeededRandom(5))
            return try sealed(Self.texts[0], Encrypt0(decoding: answer.bytes), COSELabel.answerRandom)
        }
        #expect(collisions(messages) == 0)
    }

    @Test(arguments: Suite.allCases)
    func `a request without its value, or with one of another length or other bytes, is refused`(suite: Suite) throws {
        let fixture = try ChannelFixture(suite)
        let command = try fixture.seal().command
        for count in [0, 31, 33] {
            let forged = try ChannelFixture.forge(command) { $0.random = [UInt8](repeating: 1, count: count) }
            #expect(refusal { try fixture.open(forged) } == .wrongRequest)
        }
        let message = try Encrypt0(decoding: command.bytes)
        var parameters = message.header.parameters
        parameters[COSELabel.requestRandom] = nil
        let bare = Encrypt0(
            header: COSEHeader(algorithm: .a256GCM, parameters: parameters), ciphertext: message.ciphertext)
        #expect(refusal { try fixture.open(bare.command) } == .wrongRequest)
        for byte in 0..<32 {
            let forged = try ChannelFixture.forge(command) { $0.random[byte] ^= 1 }
            #expect(refusal { try fixture.open(forged) } == .notAuthentic)
        }
        #expect(refusal { try fixture.open(command) } == nil)
    }

    // MARK: Activation

    /// Returns the session of a copy of the authenticator that has received answer 1.
    private func session(_ answer: OrchestrationCommand) throws -> ActivationSession {
        try ActivationFixture().initiator().receive(answer)
    }

    @Test func `two requests 2 of two copies share no key, and the platform opens both`() throws {
        let fixture = ActivationFixture()
        let (answer, state) = try fixture.respond(to: fixture.initiator().command)
        var messages: [Sealed] = []
        for name in ["phone", "phonf", ""] {
            var registration = ActivationFixture.registration
            registration.deviceName = name
            var first = try session(answer)
            var second = try session(answer)
            let command = try first.seal(registration, random: SeededRandom(5))
            let again = try second.seal(registration, random: SeededRandom(5))
            #expect(again == command)
            let request = try ActivationKeyRequest(decoding: command.bytes)
            #expect(try state.open(request) == registration)
            messages.append(try sealed(registration.encoded, request.sealed, COSELabel.requestRandom))
        }
        #expect(collisions(messages) == 0)
    }

    @Test func `two answers 2 of two copies share no key, and the authenticator opens both`() throws {
        let fixture = ActivationFixture()
        let (answer, state) = try fixture.respond(to: fixture.initiator().command)
        let client = try session(answer)
        var messages: [Sealed] = []
        for seconds: Int64 in [0, 1, 2] {
            var provisioning = ActivationFixture.provisioning
            provisioning.platformTime = Timestamp(secondsSinceEpoch: 1_700_000_000 + seconds)
            let command = try state.seal(provisioning, random: SeededRandom(5))
            #expect(try state.seal(provisioning, random: SeededRandom(5)) == command)
            #expect(try client.open(command) == provisioning)
            let reply = try ActivationKeyAnswer(decoding: command.bytes)
            messages.append(try sealed(provisioning.encoded, reply.sealed, COSELabel.answerRandom))
        }
        #expect(collisions(messages) == 0)
    }

    @Test func `a request 2 with another random value is refused`() throws {
        let fixture = ActivationFixture()
        let (answer, state) = try fixture.respond(to: fixture.initiator().command)
        var session = try session(answer)
        let command = try session.seal(ActivationFixture.registration, random: SeededRandom(5))
        let request = try ActivationKeyRequest(decoding: command.bytes)
        var random = request.random
        random[31] ^= 1
        let forged = ActivationKeyRequest(
            sessionID: request.sessionID, tag: request.tag, random: random, ciphertext: request.sealed.ciphertext)
        #expect(refusal { try state.open(forged) } == .notAuthentic)
        #expect(refusal { try state.open(request) } == nil)
    }
}
