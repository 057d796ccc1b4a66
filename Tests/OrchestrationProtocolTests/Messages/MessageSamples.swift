import OrchestrationProtocol
import Primitives

/// The messages of the vector file, made with the library.
enum MessageSamples {
    static func fill(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    static let sessionID = fill(0xA1, 16)
    static let deviceID = fill(0x33, 16)
    static let requestID = fill(0x72, 16)

    static let classicOffer = ActivationOffer(account: "alice@master", handle: 0x7ABC, suites: [1])
    static let hybridOffer = ActivationOffer(
        account: "zoë@bank.example", handle: 5, suites: [1, 2], capabilities: [1, 7, 300], hybridKey: fill(0xC5, 1216))

    static let classicBody = ActivationAnswerBody(
        sessionID: sessionID, share: fill(0xB2, 32), choice: ActivationChoice(suite: 1))
    static let hybridBody = ActivationAnswerBody(
        sessionID: sessionID, share: fill(0xB2, 32),
        choice: ActivationChoice(suite: 2, capabilities: [7], hybridCiphertext: fill(0xD7, 1120)))

    static let registration = DeviceRegistration(
        deviceKey: [2] + fill(0x11, 32), clientRandom: fill(0x22, 32), deviceName: "Alice’s phone", sdkVersion: "1.0.0",
        methods: [0, 1])
    static let namelessRegistration = DeviceRegistration(
        deviceKey: [3] + fill(0x11, 32), clientRandom: fill(0x22, 32), deviceName: "", sdkVersion: "1.0.0", methods: [])

    static let signingKey = StatedKey(
        kid: fill(0x44, 8), use: .signing, algorithm: -19, bytes: fill(0x55, 32),
        notBefore: Timestamp(millisecondsSinceEpoch: 1_780_000_000_000))
    static let sealingKey = StatedKey(
        kid: fill(0x46, 8), use: .sealing, algorithm: 1, bytes: fill(0x56, 32),
        notBefore: Timestamp(millisecondsSinceEpoch: 1_780_000_000_000),
        notAfter: Timestamp(millisecondsSinceEpoch: 1_790_000_000_000))
    static let statement = KeyStatement(
        sequence: 1, previous: nil, time: Timestamp(millisecondsSinceEpoch: 1_780_000_000_001),
        keys: [sealingKey, signingKey])
    static let futureStatement = KeyStatement(
        sequence: UInt64(Int64.max), previous: fill(0x4A, 32), time: Timestamp(millisecondsSinceEpoch: 0),
        keys: [
            signingKey, sealingKey,
            StatedKey(
                kid: fill(0x47, 8), use: .sealing, algorithm: 2, bytes: fill(0x57, 1216),
                notBefore: Timestamp(millisecondsSinceEpoch: 0)),
            StatedKey(
                kid: fill(0x48, 8), use: .signing, algorithm: -49, bytes: fill(0x58, 1952),
                notBefore: Timestamp(millisecondsSinceEpoch: 0), notAfter: Timestamp(millisecondsSinceEpoch: 0)),
            StatedKey(
                kid: fill(0x49, 8), use: .sealing, algorithm: 300, bytes: [1],
                notBefore: Timestamp(millisecondsSinceEpoch: 0)),
        ], extensions: [7: .text("x")])

    /// The signatures over ``statement``, with bytes instead of a signature.
    static let statementSignatures: SignatureList = {
        do {
            return try SignatureList([platformSigned(statement.encoded, signature: 0x84)])
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static func platformSigned(_ payload: [UInt8], signature byte: UInt8) throws -> Sign1 {
        try signed(payload, COSEHeader(algorithm: .ed25519, keyID: fill(0x44, 8)), signature: byte)
    }

    /// A list that the library can read and not make: it has a signature of an algorithm that it does not know.
    static func listWithUnknownSignature() throws -> SignatureList {
        var unknown = CBORWriter()
        unknown.tag(18)
        unknown.array(4)
        unknown.bytes(COSEHeader(algorithm: .mlDSA65, keyID: fill(0x44, 8)).encoded)
        unknown.map(0)
        unknown.bytes(statement.encoded)
        unknown.bytes(fill(0x85, 3309))
        var list = CBORWriter()
        list.array(2)
        list.bytes(try platformSigned(statement.encoded, signature: 0x84).encoded)
        list.bytes(unknown.finish())
        return try SignatureList(decoding: list.finish())
    }

    static let provisioning = Provisioning(
        deviceID: deviceID, passwordSerialNumber: "12345678", otherSerialNumber: "12345679",
        statement: statementSignatures,
        pinPolicy: .init(minimumLength: 4, maximumLength: 12, digitsOnly: true, tries: 5),
        applications: [
            .init(index: 1, kind: .totp, digits: 8, timeStep: 30, hostCode: true),
            .init(index: 2, kind: .hotp, digits: 8, timeStep: 0, hostCode: false),
            .init(index: 3, kind: .challenge, digits: 8, timeStep: 0, hostCode: false),
            .init(index: 4, kind: .signature, digits: 10, timeStep: 0, hostCode: true),
        ],
        platformRandom: fill(0x66, 32), platformTime: Timestamp(millisecondsSinceEpoch: 1_790_000_000_123),
        pendingSeconds: 1800)
    static let biometric = MethodRegistrationContent(
        deviceID: deviceID, method: .biometric, protection: .system, key: [2] + fill(0x12, 32))
    static let widestProvisioning = Provisioning(
        deviceID: deviceID, passwordSerialNumber: "", otherSerialNumber: "",
        statement: statementSignatures,
        pinPolicy: .init(minimumLength: 1, maximumLength: 128, digitsOnly: false, tries: 255), applications: [],
        platformRandom: fill(0x66, 32), platformTime: Timestamp(millisecondsSinceEpoch: 0), pendingSeconds: 0)

    private static func secret(_ byte: UInt8) -> MessageSecret {
        MessageSecret(SecretBytes(copying: fill(byte, 32)))
    }

    private static let ratchet = RatchetPart(tag: fill(0x86, 32))
    private static let proof = InstanceProof(instance: .password, method: 1, generation: 3, tag: fill(0x82, 32))

    private static func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var value = value
        change(&value)
        return value
    }

    static func channelRequest(suite: UInt64, encapsulatedKey: [UInt8]) -> ChannelRequestForm {
        ChannelRequestForm(
            header: ChannelRequestHeader(
                deviceID: deviceID, suite: suite, encapsulatedKey: encapsulatedKey, requestID: requestID,
                expiry: Timestamp(millisecondsSinceEpoch: 1_790_000_060_000), platformKeyID: fill(0x46, 8),
                random: fill(0x76, 32)),
            ciphertext: fill(0xE5, 40))
    }

    static let channelAnswer = ChannelAnswerForm(
        header: ChannelAnswerHeader(deviceID: deviceID, random: fill(0x74, 32), requestHash: fill(0x75, 32)),
        ciphertext: fill(0xE5, 40))

    static func signed(_ payload: [UInt8], _ header: COSEHeader, signature byte: UInt8) throws -> Sign1 {
        try Sign1.signing(payload, header: header, externalAAD: []) { (_: [UInt8]) in fill(byte, 64) }
    }

    static func request(_ body: RequestBody, reread: Bool = false) -> RequestMessage {
        RequestMessage(
            MessageHead(
                tenant: "default", account: "alice@master", deviceID: deviceID, requestID: requestID,
                time: Timestamp(millisecondsSinceEpoch: 1_790_000_000_123), ratchetIndex: 7),
            reread: reread, body: body)
    }

    static let canceled = answer(ApprovalFetchMessage.type, .refused(Refusal(.approvalCanceled)))

    private static func moveBegun(at address: String?) -> AnswerMessage {
        let move = MoveBeginMessage.Answer(
            activationPassword: MessageSecret(SecretBytes(copying: "0D3K-7VQ2-M8XT".utf8)),
            expiry: Timestamp(millisecondsSinceEpoch: 1_790_000_000_000), address: address)
        return answer(MoveBeginMessage.type, .accepted(.moveBegin(move)))
    }

    static func answer(_ type: MessageType, _ result: AnswerResult) -> AnswerMessage {
        AnswerMessage(
            to: type,
            MessageHead(
                tenant: "default", account: "alice@master", deviceID: deviceID, requestID: requestID,
                time: Timestamp(millisecondsSinceEpoch: 1_790_000_000_456), ratchetIndex: 8),
            failedCodes: 3, result: result)
    }

    static func all() throws -> [String: any WireForm] {
        let message = try signed([1, 2, 3], COSEHeader(algorithm: .esp256), signature: 0x81)
        let answered = try SignatureList([platformSigned([4], signature: 0x83)])
        let messages: [String: any WireForm] = [
            "ActivationOffer classic": classicOffer,
            "ActivationOffer hybrid": hybridOffer,
            "ActivationRequest classic": ActivationRequest(
                sessionID: sessionID, share: fill(0xA2, 32), offer: classicOffer),
            "ActivationRequest hybrid": ActivationRequest(
                sessionID: sessionID, share: fill(0xA2, 32), offer: hybridOffer),
            "ActivationChoice classic": classicBody.choice,
            "ActivationChoice hybrid": hybridBody.choice,
            "ActivationAnswerBody classic": classicBody,
            "ActivationAnswer classic": ActivationAnswer(body: classicBody, tag: fill(0xB3, 32)),
            "ActivationAnswer hybrid": ActivationAnswer(body: hybridBody, tag: fill(0xB3, 32)),
            "ActivationKeyRequest ": ActivationKeyRequest(
                sessionID: sessionID, tag: fill(0xA4, 32), random: fill(0xA6, 32), ciphertext: fill(0xE5, 40)),
            "ActivationKeyAnswer ": ActivationKeyAnswer(
                sessionID: sessionID, random: fill(0xA5, 32), ciphertext: fill(0xE5, 40)),
            "ActivationRefusal refused": ActivationRefusal(sessionID: sessionID, reason: .refused),
            "ActivationRefusal unknown reason": ActivationRefusal(sessionID: sessionID, reason: .init(rawValue: 99)),
            "DeviceRegistration ": registration,
            "DeviceRegistration no name": namelessRegistration,
            "DeviceRegistration 16 unknown extensions": with(registration) {
                $0.extensions = Extensions((0..<16).map { (key: $0, value: .null) })
            },
            "Provisioning usual": provisioning,
            "Provisioning the widest limits": widestProvisioning,
            "Provisioning unknown extensions": with(provisioning) {
                let key: CBORValue = .array([
                    .bytes(fill(0x46, 8)), .unsigned(1), .unsigned(1), .bytes(fill(0x56, 32)),
                    .unsigned(1_780_000_000_000), .unsigned(1_790_000_000_000),
                ])
                $0.extensions = [2: .array([.array([key])]), Int64.max: .boolean(false)]
            },
            "ChannelRequest suite 1": channelRequest(suite: 1, encapsulatedKey: fill(0x71, 32)),
            "ChannelRequest suite 2": channelRequest(suite: 2, encapsulatedKey: fill(0x73, 1120)),
            "ChannelAnswer ": channelAnswer,
            "SealedRequest without proof": SealedRequest(message: message, ratchet: ratchet),
            "SealedRequest with proof": SealedRequest(
                message: message, ratchet: with(ratchet) { $0.input = secret(0x87) }, proof: proof),
            "SealedRequest with a proof of a face": SealedRequest(
                message: message, ratchet: ratchet,
                proof: InstanceProof(instance: .face, method: 3, generation: 3, tag: fill(0x82, 32))),
            "SealedRequest with a state of the ratchet": SealedRequest(
                message: message,
                ratchet: with(ratchet) { ($0.input, $0.state) = (secret(0x87), secret(0x88)) }, proof: proof),
            "MethodRegistrationContent biometric, protected by the system": biometric,
            "MethodRegistrationContent a face, protected by a provider": with(biometric) {
                $0.method = .face
                $0.protection = .provider
            },
            "MethodRegistrationContent a software provider, and unknown extensions": with(biometric) {
                $0.protection = .software
                $0.extensions = [7: .array([.unsigned(1)]), 8: .null]
            },
            "RequestMessage method.register": request(
                .methodRegister(try ApprovalSamples.deviceSigned(biometric))),
            "RequestMessage method.remove": request(.methodRemove(.face)),
            "RequestMessage method.remove, on all devices": request(.methodRemove(.biometric, everywhere: true)),
            "AnswerMessage method.register": answer(
                MethodRegisterMessage.type,
                .accepted(.methodRegister(secret: MessageSecret(SecretBytes(copying: fill(0x5E, 32)))))
            ),
            "AnswerMessage method.remove": answer(MethodRemoveMessage.type, .accepted(.methodRemove)),
            "RequestMessage seal.request": request(
                .sealRequest(try SealContent(name: "Verträge.pdf", digest: fill(0x5A, 32)), method: .password)),
            "RequestMessage seal.request, of a text": request(
                .sealRequest(try SealContent(text: "Zoë"), method: .face)),
            "AnswerMessage seal.request": answer(
                SealRequestMessage.type, .accepted(.sealRequest(id: ApprovalSamples.id))),
            "SealedAnswer ": SealedAnswer(message: answered),
            "SealedAnswer with an input of the ratchet": SealedAnswer(message: answered, ratchetInput: secret(0x89)),
            "SealedAnswer eight statements": SealedAnswer(
                message: answered, statements: Array(repeating: statementSignatures, count: 8)),
            "KeyStatement first": statement,
            "KeyStatement hybrid and algorithms of the future": futureStatement,
            "SignatureList one": statementSignatures,
            "SignatureList with one of an algorithm to come": try listWithUnknownSignature(),
            "RequestMessage activation.password": request(.activationPassword),
            "RequestMessage activation.complete": request(
                .activationComplete(receiptHash: fill(0x91, 32)), reread: true),
            "RequestMessage activation.complete, with a replaced device": request(
                .activationComplete(
                    receiptHash: fill(0x91, 32), registersPullChannel: false, replacing: fill(0x92, 16))),
            "RequestMessage notifications.register": request(.notificationsRegister(identifier: "pull:0123")),
            "RequestMessage synchronize": request(
                .synchronize(
                    generation: 2,
                    counters: [
                        ApplicationCounter(application: 2, counter: 17),
                        ApplicationCounter(application: 4, counter: UInt64(Int64.max)),
                    ], capabilities: [1, 3, 300], statement: 12, notice: 1_790_000_000_000)),
            "RequestMessage user.delete": request(.userDelete),
            "RequestMessage user.delete, unknown extensions": with(request(.userDelete)) {
                $0.extensions = [
                    0: .null, 5: .array([.unsigned(1), .map([.text("x"): .bytes([])])]), 300: .text("later"),
                ]
            },
            "AnswerMessage activation.password": answer(ActivationPasswordMessage.type, .accepted(.activationPassword)),
            "AnswerMessage activation.complete": answer(ActivationCompleteMessage.type, .accepted(.activationComplete)),
            "AnswerMessage notifications.register": answer(
                NotificationsRegisterMessage.type, .accepted(.notificationsRegister)),
            "AnswerMessage synchronize": answer(
                SynchronizeMessage.type,
                .accepted(
                    .synchronize(
                        SynchronizeMessage.Answer(
                            generation: 4, capabilities: [1, 3],
                            policy: PINPolicyForm(minimumLength: 8, maximumLength: 64, digitsOnly: false, tries: 3),
                            tries: 2, devices: 4, maximumDevices: 5,
                            notices: [
                                AccountNoticeForm(
                                    number: 1_790_000_000_000, kind: 1,
                                    time: Timestamp(millisecondsSinceEpoch: 1_790_000_000_000), device: deviceID),
                                AccountNoticeForm(
                                    number: 1_790_000_000_001, kind: 300,
                                    time: Timestamp(millisecondsSinceEpoch: 1_789_999_999_999), device: requestID),
                            ])))),
            "RequestMessage password.change": request(.passwordChange),
            "RequestMessage password.prove": request(.passwordProve),
            "RequestMessage unlock": request(
                .unlock(
                    handle: 0x7FFF, secret: MessageSecret(SecretBytes(copying: "0123WXYZ".utf8)), generation: 3)),
            "AnswerMessage password.change": answer(
                PasswordChangeMessage.type,
                .accepted(
                    .passwordChange(
                        .init(
                            generation: 4, change: MessageSecret(SecretBytes(copying: fill(0x5D, 32))),
                            policy: .init(minimumLength: 6, maximumLength: 12, digitsOnly: true, tries: 5))))),
            "AnswerMessage password.prove": answer(PasswordProveMessage.type, .accepted(.passwordProve)),
            "AnswerMessage unlock": answer(
                UnlockMessage.type,
                .accepted(
                    .unlock(
                        .init(
                            generation: 5, secret: MessageSecret(SecretBytes(copying: fill(0x5F, 32))),
                            policy: .init(minimumLength: 6, maximumLength: 12, digitsOnly: true, tries: 5))))),
            "RequestMessage move.begin": request(.moveBegin),
            "AnswerMessage move.begin": moveBegun(at: "https://id.example"),
            "AnswerMessage move.begin, without an address": moveBegun(at: nil),
            "AnswerMessage user.delete": answer(UserDeleteMessage.type, .accepted(.userDelete)),
            "AnswerMessage user.delete, unknown extensions": with(
                answer(UserDeleteMessage.type, .accepted(.userDelete))
            ) {
                $0.extensions = [0: .boolean(true), 23: .negative(0), 24: .map([:])]
            },
            "AnswerMessage wrong password": answer(
                ActivationPasswordMessage.type, .refused(Refusal(.wrongPassword, remainingTries: 4))),
            "AnswerMessage rate limited": answer(
                UserDeleteMessage.type, .refused(Refusal(.rateLimited, retryAfter: 60_000))),
            "AnswerMessage a refusal with a notice": with(canceled) {
                $0.extensions = [4: .array([.text("Sold out – désolé"), .bytes(fill(0xEE, 3))])]
            },
            "AnswerMessage a notice and a wish for device data in full": with(canceled) {
                $0.extensions = .answer(.unknown, try? RefusalNotice(text: "Sold out", payload: nil))
            },
            "AnswerMessage a refusal with a notice that breaks a rule": with(canceled) {
                $0.extensions = [4: .array([.text("a\u{202E}b"), .null])]
            },
            "AnswerMessage unknown refusal": answer(
                SynchronizeMessage.type, .refused(Refusal(RefusalCode(rawValue: 99), remainingTries: 0, retryAfter: 0))),
        ]
        return messages.merging(try ApprovalSamples.all()) { message, _ in message }
            .merging(try DeviceDataSamples.all()) { message, _ in message }
    }
}
