import Crypto
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import OrchestrationProtocol

/// The published vectors of the protocol, made by an independent program (Tests/Vectors/protocol/make.py).
@Suite struct ProtocolVectorTests {
    /// A source that returns the bytes of a vector in their order.
    final class Prescribed: RandomSource {
        private let parts: Mutex<[[UInt8]]>

        init(_ parts: [UInt8]...) { self.parts = Mutex(parts) }

        func bytes(_ count: Int) -> [UInt8] {
            let next = parts.withLock { $0.isEmpty ? [] : $0.removeFirst() }
            precondition(next.count == count, "the vector prescribes \(next.count) bytes where \(count) are asked for")
            return next
        }
    }

    struct Activation: Decodable {
        let code, account, tenant, sessionID, scalarA, scalarB, generator, request1, answer1: String
        let registration, request2Random, request2, provisioning, answer2Random, answer2: String
        let passwordInstance, otherInstance, chainStart, presharedKey: String
        let handle: UInt16
        let suite: UInt8
        /// In suite 2 only.
        let hybridSeed, hybridKey: String?
    }

    struct Channel: Decodable {
        let tenant, deviceID, presharedKey, platformPrivateKey, platformPublicKey, platformKeyID, requestID: String
        let requestPlaintext, requestRandom, requestHedged, exportedRequest, requestKey, request, requestHash: String
        let answerRandom, answerPlaintext, answer: String
        let secret, chain0, chain1, chain2, proofMessage, proof, codeKey, hostCodeKey, question: String
        let signingKey, verifyingKey, signedAnswer, taggedInput: String
        let expiry: Int64
        let ratchetInputs: [[String]]
        let tags: [String]
    }

    struct Password: Decodable {
        let tenant, deviceID, ratchet, proofMessage, proof, codeKey: String
        let secrets, changes: [String]
    }

    private func key(_ hex: String) -> SymmetricKey { SymmetricKey(data: [UInt8](hex: hex)) }
    private func bytes(_ key: SymmetricKey) -> [UInt8] { key.withSpan { [UInt8]($0) } }

    @Test func `an activation has the published bytes at each step`() throws {
        let vector = try Vectors.decode(Activation.self, "protocol/activation.json")
        let secret = SecretBytes(copying: [UInt8](hex: vector.code))
        let account = try AccountName(text: vector.account, defaultDomain: "")
        let initiator = try ActivationInitiator(
            secret: secret, handle: vector.handle, account: account, tenant: vector.tenant, suites: [.classic],
            capabilities: Capability.device,
            random: Prescribed([UInt8](hex: vector.sessionID), [UInt8](hex: vector.scalarA)))
        let request = initiator.command.bytes
        #expect(request == [UInt8](hex: vector.request1))
        let (answer, state) = try ActivationResponder.answer(
            ActivationRequest(decoding: request), secret: secret, account: account, tenant: vector.tenant,
            suites: [.classic], minimum: .classic, capabilities: [.oneTimePasswords, .hostCodes],
            random: Prescribed([UInt8](hex: vector.scalarB)))
        #expect(answer.bytes == [UInt8](hex: vector.answer1))
        var session = try initiator.receive(answer)
        let registration = try DeviceRegistration(decoding: [UInt8](hex: vector.registration))
        let keyRequest = try session.seal(registration, random: Prescribed([UInt8](hex: vector.request2Random)))
        #expect(keyRequest.bytes == [UInt8](hex: vector.request2))
        #expect(try state.open(ActivationKeyRequest(decoding: keyRequest.bytes)) == registration)
        let provisioning = try Provisioning(decoding: [UInt8](hex: vector.provisioning))
        let keyAnswer = try state.seal(provisioning, random: Prescribed([UInt8](hex: vector.answer2Random)))
        #expect(keyAnswer.bytes == [UInt8](hex: vector.answer2))
        #expect(try session.open(keyAnswer) == provisioning)
        try Self.expect(session.secrets(registration: registration, provisioning: provisioning), of: vector)
    }

    /// The authenticator's side alone: swift-crypto encapsulates with random bytes of its own.
    @Test func `an activation with suite 2 has the published bytes at each step of the authenticator`() throws {
        let vector = try Vectors.decode(Activation.self, "protocol/activation-hybrid.json")
        #expect(vector.suite == Suite.hybrid.rawValue)
        let account = try AccountName(text: vector.account, defaultDomain: "")
        let seed = [UInt8](hex: try #require(vector.hybridSeed))
        let initiator = try ActivationInitiator(
            secret: SecretBytes(copying: [UInt8](hex: vector.code)), handle: vector.handle, account: account,
            tenant: vector.tenant, suites: [.hybrid], capabilities: Capability.device,
            random: Prescribed(seed, [UInt8](hex: vector.sessionID), [UInt8](hex: vector.scalarA)))
        #expect(initiator.command.bytes == [UInt8](hex: vector.request1))
        let request = try ActivationRequest(decoding: initiator.command.bytes)
        #expect(request.offer.hybridKey == [UInt8](hex: try #require(vector.hybridKey)))
        var session = try initiator.receive(ActivationAnswer(decoding: [UInt8](hex: vector.answer1)))
        #expect(session.suite == .hybrid)
        let registration = try DeviceRegistration(decoding: [UInt8](hex: vector.registration))
        let source = Prescribed([UInt8](hex: vector.request2Random))
        #expect(try session.seal(registration, random: source).bytes == [UInt8](hex: vector.request2))
        let provisioning = try session.open(ActivationKeyAnswer(decoding: [UInt8](hex: vector.answer2)))
        #expect(provisioning.encoded == [UInt8](hex: vector.provisioning))
        try Self.expect(session.secrets(registration: registration, provisioning: provisioning), of: vector)
        #expect(vector.presharedKey != (try Vectors.decode(Activation.self, "protocol/activation.json")).presharedKey)

        // A flipped bit in either half of the ciphertext gives another secret, and so another tag.
        var changed = [UInt8](hex: vector.answer1)
        let ciphertext = try #require(ActivationAnswer(decoding: changed).choice.hybridCiphertext)
        let place = try #require(changed.firstRange(of: ciphertext)).lowerBound
        for offset in [0, 1087, 1088] {
            changed[place + offset] ^= 1
            let answer = try ActivationAnswer(decoding: changed)
            #expect(throws: SecureChannelError(.wrongActivationPassword, blame: .user, "")) {
                _ = try initiator.receive(answer)
            }
            changed[place + offset] ^= 1
        }
    }

    private static func expect(_ secrets: ActivationSecrets, of vector: Activation) throws {
        for (key, hex) in [
            (secrets.passwordInstance, vector.passwordInstance), (secrets.possessionInstance, vector.otherInstance),
            (secrets.ratchet, vector.chainStart), (secrets.channel, vector.presharedKey),
        ] {
            #expect(key.withSpan { [UInt8]($0) } == [UInt8](hex: hex))
        }
    }

    @Test func `the platform opens the published request and seals the published answer`() throws {
        let vector = try Vectors.decode(Channel.self, "protocol/channel.json")
        let pair = try SealingKeyPair(
            suite: .classic, privateRepresentation: SecretBytes(copying: [UInt8](hex: vector.platformPrivateKey)))
        #expect(pair.publicKey.bytes == [UInt8](hex: vector.platformPublicKey))
        #expect(pair.kid == [UInt8](hex: vector.platformKeyID))
        let identity = ChannelIdentity(
            device: try Self.address(vector), suite: .classic, presharedKey: key(vector.presharedKey))
        let request = try ChannelRequest(decoding: OrchestrationCommand(bytes: [UInt8](hex: vector.request)))
        #expect(request.hash == [UInt8](hex: vector.requestHash))
        #expect(request.header.requestID == [UInt8](hex: vector.requestID))
        #expect(request.header.expiry.millisecondsSinceEpoch == vector.expiry)
        #expect(request.header.random == [UInt8](hex: vector.requestHedged))
        let (plaintext, sealer) = try request.open(with: pair, as: identity)
        #expect(plaintext == [UInt8](hex: vector.requestPlaintext))
        let answer = try sealer.seal(
            [UInt8](hex: vector.answerPlaintext), random: Prescribed([UInt8](hex: vector.answerRandom)))
        #expect(answer.bytes == [UInt8](hex: vector.answer))
    }

    /// The client's side without HPKE: swift-crypto makes the ephemeral key from random bytes of its own.
    @Test func `the random value and the key of a request are the published ones`() throws {
        let vector = try Vectors.decode(Channel.self, "protocol/channel.json")
        let random = ChannelKeys.requestRandom(
            for: [UInt8](hex: vector.requestPlaintext), presharedKey: key(vector.presharedKey),
            random: Prescribed([UInt8](hex: vector.requestRandom)))
        #expect(random == [UInt8](hex: vector.requestHedged))
        let oneTimeKey = ChannelKeys.request(
            exported: key(vector.exportedRequest), presharedKey: key(vector.presharedKey), random: random)
        let expected = OneTimeKey(key(vector.requestKey))
        let header = COSEHeader(algorithm: .a256GCM)
        // A key does not show its bytes. Equal keys and nonces seal a text to equal bytes.
        #expect(
            try oneTimeKey.seal([1, 2, 3], header: header).encoded
                == expected.seal([1, 2, 3], header: header).encoded)
    }

    @Test func `the ratchet, the proof, the code keys and the question are the published ones`() throws {
        let vector = try Vectors.decode(Channel.self, "protocol/channel.json")
        let device = try Self.address(vector)
        var ratchet = key(vector.chain0)
        for (index, (inputs, state)) in zip(vector.ratchetInputs, [vector.chain1, vector.chain2]).enumerated() {
            ratchet = KeyRatchet.next(
                ratchet, to: UInt64(index) + 1, deviceInput: key(inputs[0]), platformInput: key(inputs[1]))
            #expect(bytes(ratchet) == [UInt8](hex: state))
        }
        for (input, tag) in zip([nil, key(vector.taggedInput)], vector.tags) {
            let message = [UInt8](hex: vector.proofMessage)
            #expect(
                KeyRatchet.tag(of: message, input: input, state: ratchet, device: device) == [UInt8](hex: tag))
        }
        let proof = InstanceKeys.proof(
            of: [UInt8](hex: vector.proofMessage), secret: key(vector.secret), ratchet: ratchet, instance: .password,
            method: 1, generation: 0, device: device)
        #expect(proof == [UInt8](hex: vector.proof))
        let code = InstanceKeys.codeKey(
            secret: key(vector.secret), ratchet: ratchet, application: 3, instance: .password,
            device: device)
        #expect(bytes(code) == [UInt8](hex: vector.codeKey))
        let host = InstanceKeys.hostCodeKey(
            secret: key(vector.secret), ratchet: ratchet, application: 3, instance: .possession,
            device: device)
        #expect(bytes(host) == [UInt8](hex: vector.hostCodeKey))
        let question = SignedQuestion.hash(
            purpose: .signature, tenant: vector.tenant, instance: .password, application: 4, challenge: nil, counter: 7,
            fields: [DataField(value: "10 EUR"), DataField(value: "Zoë")])
        #expect(question == [UInt8](hex: vector.question))
    }

    @Test func `the secrets of three changes of the password are the published ones`() throws {
        let vector = try Vectors.decode(Password.self, "protocol/password.json")
        let device = DeviceAddress(
            tenant: vector.tenant, account: try AccountName(text: "alice@master", defaultDomain: ""),
            id: [UInt8](hex: vector.deviceID))
        #expect(vector.changes.count == 3 && vector.secrets.count == 4)
        var last = key(vector.secrets[0])
        for (change, secret) in zip(vector.changes, vector.secrets.dropFirst()) {
            last = PasswordGenerations.applying(key(change), to: last)
            #expect(bytes(last) == [UInt8](hex: secret))
        }
        let proof = InstanceKeys.proof(
            of: [UInt8](hex: vector.proofMessage), secret: last, ratchet: key(vector.ratchet), instance: .password,
            method: 1, generation: 3, device: device)
        #expect(proof == [UInt8](hex: vector.proof))
        let code = InstanceKeys.codeKey(
            secret: last, ratchet: key(vector.ratchet), application: 1, instance: .password, device: device)
        #expect(bytes(code) == [UInt8](hex: vector.codeKey))
    }

    private static func address(_ vector: Channel) throws -> DeviceAddress {
        DeviceAddress(
            tenant: vector.tenant, account: try AccountName(text: "alice@master", defaultDomain: ""),
            id: [UInt8](hex: vector.deviceID))
    }

    @Test func `the published signed answer verifies`() throws {
        let vector = try Vectors.decode(Channel.self, "protocol/channel.json")
        let binding = MessageBinding(
            device: try Self.address(vector), requestID: [UInt8](hex: vector.requestID))
        let answer = try AnswerMessage.verified(
            Sign1(decoding: [UInt8](hex: vector.signedAnswer)), platformKey: [UInt8](hex: vector.verifyingKey),
            type: SynchronizeMessage.type, binding: binding)
        #expect(answer.message.result == .accepted(.synchronize(generation: 5, capabilities: [1, 3])))
        #expect(answer.message.ratchetIndex == 2)
    }
}
