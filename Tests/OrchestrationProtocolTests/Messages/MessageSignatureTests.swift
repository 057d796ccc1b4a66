import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct MessageSignatureTests {
    private let deviceKey = P256.Signing.PrivateKey()
    private let platformKey = Curve25519.Signing.PrivateKey()
    private let device = [UInt8](repeating: 1, count: 16)
    private let request = [UInt8](repeating: 2, count: 16)

    private var platformKeyPair: SigningKeyPair { get throws { try SigningKeyPair(platformKey) } }
    private var devicePublicKey: [UInt8] { [UInt8](deviceKey.publicKey.compressedRepresentation) }
    private var platformPublicKey: [UInt8] { [UInt8](platformKey.publicKey.rawRepresentation) }

    private func binding(
        tenant: String = "default", user: String = "alice", device: [UInt8]? = nil, request: [UInt8]? = nil
    ) throws -> MessageBinding {
        MessageBinding(
            device: DeviceAddress(
                tenant: tenant, account: try AccountName(userID: user, domain: "master"), id: device ?? self.device),
            requestID: request ?? self.request)
    }

    private var head: MessageHead {
        MessageHead(
            tenant: "default", account: "alice@master", deviceID: device, requestID: request,
            time: Timestamp(secondsSinceEpoch: 1_700_000_000), ratchetIndex: 3)
    }

    private var asked: RequestMessage {
        RequestMessage(head, body: .notificationsRegister(identifier: "x"))
    }

    private var answered: AnswerMessage {
        AnswerMessage(
            to: NotificationsRegisterMessage.type, head, failedCodes: 0, result: .accepted(.notificationsRegister))
    }

    private func signedRequest() async throws -> Sign1 {
        try await asked.signed { bytes in [UInt8](try deviceKey.signature(for: bytes).rawRepresentation) }
    }

    @Test func `a signed request is verified when it is bound to its place`() async throws {
        let message = try await signedRequest()
        #expect(try RequestMessage.verified(message, deviceKey: devicePublicKey, binding: binding()).message == asked)
    }

    @Test func `a signed answer is verified when it is bound to its place`() throws {
        let message = try answered.signed(with: platformKeyPair)
        let verified = try AnswerMessage.verified(
            message, platformKey: platformPublicKey, type: NotificationsRegisterMessage.type, binding: binding())
        #expect(verified.message == answered)
        #expect(verified.encoded == message.encoded)
        #expect(verified.receiptHash == [UInt8](SHA256.hash(data: message.encoded)))
    }

    @Test func `a message of another place is refused`() async throws {
        let other = [UInt8](repeating: 9, count: 16)
        let rows: [(MessageBinding, SecureChannelError.Code)] = [
            (try binding(tenant: "other"), .wrongParty), (try binding(user: "bob"), .wrongParty),
            (try binding(user: "Alice"), .wrongParty), (try binding(device: other), .wrongParty),
            (try binding(request: other), .wrongRequest),
        ]
        let message = try await signedRequest()
        let answer = try answered.signed(with: platformKeyPair)
        for (binding, code) in rows {
            #expect(
                refusal { try RequestMessage.verified(message, deviceKey: devicePublicKey, binding: binding) } == code)
            #expect(
                refusal {
                    try AnswerMessage.verified(
                        answer, platformKey: platformPublicKey, type: NotificationsRegisterMessage.type,
                        binding: binding)
                } == code)
        }
        #expect(
            refusal {
                try AnswerMessage.verified(
                    answer, platformKey: platformPublicKey, type: UserDeleteMessage.type, binding: binding())
            } == .wrongType)
    }

    @Test func `every flipped bit of a signed message is refused`() async throws {
        let message = try await signedRequest()
        let answer = try answered.signed(with: platformKeyPair)
        let place = try binding()
        for flipped in message.encoded.bitFlips {
            guard let altered = try? Sign1(decoding: flipped, policy: .strict) else { continue }
            #expect(
                refusal { try RequestMessage.verified(altered, deviceKey: devicePublicKey, binding: place) } != nil)
        }
        for flipped in answer.encoded.bitFlips {
            guard let altered = try? Sign1(decoding: flipped, policy: .strict) else { continue }
            #expect(
                refusal {
                    try AnswerMessage.verified(
                        altered, platformKey: platformPublicKey, type: NotificationsRegisterMessage.type, binding: place
                    )
                } != nil)
        }
    }

    @Test func `a message signed by another key is refused`() async throws {
        let message = try await signedRequest()
        let otherDevice = [UInt8](P256.Signing.PrivateKey().publicKey.compressedRepresentation)
        #expect(
            refusal { try RequestMessage.verified(message, deviceKey: otherDevice, binding: binding()) }
                == .notAuthentic)
        let answer = try answered.signed(with: SigningKeyPair(Curve25519.Signing.PrivateKey()))
        #expect(
            refusal {
                try AnswerMessage.verified(
                    answer, platformKey: platformPublicKey, type: NotificationsRegisterMessage.type, binding: binding())
            } == .wrongKey)
        // The right key id with another key.
        let forger = Curve25519.Signing.PrivateKey()
        let header = COSEHeader(algorithm: .ed25519, keyID: PlatformPublicKey.keyID(of: platformPublicKey))
        let forged = try Sign1.signing(answered.encoded, header: header, externalAAD: answered.externalAAD) { bytes in
            [UInt8](try forger.signature(for: bytes))
        }
        #expect(
            refusal {
                try AnswerMessage.verified(
                    forged, platformKey: platformPublicKey, type: NotificationsRegisterMessage.type, binding: binding())
            } == .notAuthentic)
    }

    @Test func `a message of one type or direction cannot be taken for another`() async throws {
        // A request that the platform's key has signed, and an answer that a device's key has.
        let header = COSEHeader(algorithm: .ed25519, keyID: PlatformPublicKey.keyID(of: platformPublicKey))
        let request = try Sign1.signing(asked.encoded, header: header, externalAAD: asked.externalAAD) { bytes in
            [UInt8](try platformKey.signature(for: bytes))
        }
        #expect(
            refusal {
                try AnswerMessage.verified(
                    request, platformKey: platformPublicKey, type: NotificationsRegisterMessage.type, binding: binding()
                )
            } == .malformed)
        // A signature under another type's associated data.
        var other = asked
        other.body = .userDelete
        let mistyped = try Sign1.signing(
            asked.encoded, header: COSEHeader(algorithm: .esp256), externalAAD: other.externalAAD
        ) { bytes in [UInt8](try deviceKey.signature(for: bytes).rawRepresentation) }
        #expect(
            refusal { try RequestMessage.verified(mistyped, deviceKey: devicePublicKey, binding: binding()) }
                == .notAuthentic)
        // A header with a key id, which a device's message does not have.
        let labeled = try Sign1.signing(
            asked.encoded, header: COSEHeader(algorithm: .esp256, keyID: device), externalAAD: asked.externalAAD
        ) { bytes in [UInt8](try deviceKey.signature(for: bytes).rawRepresentation) }
        #expect(
            refusal { try RequestMessage.verified(labeled, deviceKey: devicePublicKey, binding: binding()) }
                == .malformed)
        let answer = try answered.signed(with: platformKeyPair)
        #expect(
            refusal { try RequestMessage.verified(answer, deviceKey: devicePublicKey, binding: binding()) }
                == .malformed)
    }
}

extension SigningKeyPair {
    fileprivate init(_ key: Curve25519.Signing.PrivateKey) throws {
        try self.init(privateRepresentation: SecretBytes(copying: [UInt8](key.rawRepresentation)))
    }
}
