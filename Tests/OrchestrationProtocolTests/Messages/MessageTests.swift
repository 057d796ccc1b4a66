import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct MessageTests {
    @Test func `the vectors are there and name every message`() throws {
        let vectors = MessageVectors.all
        #expect(vectors.messages.count == 118)
        #expect(vectors.refused.count > 400)
        #expect(Set(vectors.messages.map(\.type)) == Set(MessageVectors.types.keys))
        #expect(Set(vectors.refused.map(\.type)) == Set(MessageVectors.types.keys))
        #expect(Set(vectors.messages.map(\.testDescription)) == Set(try MessageSamples.all().keys))
    }

    @Test(arguments: MessageVectors.all.messages)
    func `a message is encoded to the bytes of the vector and decoded from them`(vector: MessageVectors.Message) throws
    {
        let sample = try #require(MessageSamples.all()[vector.testDescription])
        try check(sample, vector)
    }

    private func check<M: WireForm>(_ sample: M, _ vector: MessageVectors.Message) throws {
        #expect(MessageVectors.types[vector.type] == M.self)
        #expect(sample.encoded.hex == vector.hex)
        #expect(try M(decoding: vector.bytes) == sample)
    }

    @Test(arguments: MessageVectors.all.refused)
    func `a value outside the limits of a field is refused with its code`(vector: MessageVectors.Refused) throws {
        let type = try #require(MessageVectors.types[vector.type])
        let error = #expect(throws: WireError.self) { _ = try type.init(decoding: vector.bytes) }
        #expect(error?.code.description == vector.code)
        #expect(error?.blame == .peer)
    }

    @Test(arguments: MessageVectors.all.messages)
    func `a truncated or extended message is refused`(vector: MessageVectors.Message) throws {
        let type = try #require(MessageVectors.types[vector.type])
        let accepted = vector.bytes.truncations.filter { (try? type.init(decoding: $0)) != nil }
        #expect(accepted.isEmpty)
        for byte: UInt8 in [0x00, 0x80, 0xF6, 0xFF] {
            #expect(throws: WireError(.trailingBytes)) { _ = try type.init(decoding: vector.bytes + [byte]) }
        }
    }

    @Test(arguments: MessageVectors.all.messages)
    func `a flipped bit is refused or decodes to something else with the same bytes`(
        vector: MessageVectors.Message
    ) throws {
        let sample = try #require(MessageSamples.all()[vector.testDescription])
        #expect(wrongFlips(of: sample) == [])
    }

    /// The changed encodings that decode to the same message, or to one that encodes otherwise.
    private func wrongFlips<M: WireForm>(of sample: M) -> [String] {
        sample.encoded.bitFlips.filter { flipped in
            guard let other = try? M(decoding: flipped) else { return false }
            return other == sample || other.encoded != flipped
        }.map(\.hex)
    }

    @Test func `an activation message keeps the bytes that are hashed`() throws {
        let request = ActivationRequest(
            sessionID: MessageSamples.sessionID, share: [UInt8](repeating: 1, count: 32),
            offer: MessageSamples.hybridOffer)
        let received = try ActivationRequest(decoding: request.bytes)
        #expect(received.ad == MessageSamples.hybridOffer.encoded)
        #expect(received.bytes == request.bytes)

        let answer = ActivationAnswer(body: MessageSamples.hybridBody, tag: [UInt8](repeating: 2, count: 32))
        let receivedAnswer = try ActivationAnswer(decoding: answer.bytes)
        #expect(receivedAnswer.body == MessageSamples.hybridBody.bytes)
        #expect(receivedAnswer.ad == MessageSamples.hybridBody.choice.encoded)
        #expect(receivedAnswer.choice == MessageSamples.hybridBody.choice)
        #expect(receivedAnswer.sessionID == MessageSamples.sessionID)
    }

    @Test(arguments: MessageType.allCases)
    func `the associated data of a signature depends on type and direction`(type: MessageType) throws {
        let bodies: [RequestBody] = [
            .activationPassword, .activationComplete(receiptHash: [UInt8](repeating: 0, count: 32)),
            .notificationsRegister(identifier: "i"), .synchronize(generation: 0, counters: []), .userDelete,
            .approvalList, .approvalFetch(id: ApprovalSamples.id),
            .approvalAnswer(try ApprovalSamples.deviceSigned(ApprovalSamples.approved)), .notificationsOpen,
            .passwordChange, .passwordProve, .moveBegin,
            .unlock(handle: 1, secret: MessageSecret(SecretBytes(copying: "0123WXYZ".utf8)), generation: 3),
            .methodRegister(try ApprovalSamples.deviceSigned(MessageSamples.biometric)), .methodRemove(.face),
            .deviceData(try DeviceDataMessage(event: "login")),
            .sealRequest(try SealContent(text: "Zoë"), method: .password),
        ]
        let body = try #require(bodies.first { $0.type == type })
        let request = MessageSamples.request(body)
        let answer = MessageSamples.answer(type, .refused(Refusal(.locked)))
        #expect(request.externalAAD == Array("swift-orchestration/1 \(type.requestName)".utf8))
        #expect(answer.externalAAD == Array("swift-orchestration/1 \(type.requestName)/answer".utf8))
        #expect(throws: WireError(.unexpectedMessage)) { try AnswerMessage(decoding: request.encoded) }
        #expect(throws: WireError(.unexpectedMessage)) { try RequestMessage(decoding: answer.encoded) }
    }

    @Test(arguments: ["a\u{0}", "\u{0}", "a\nb", "a\u{202E}b", "\u{FEFF}"])
    func `a text of a device that cannot be shown is refused`(text: String) throws {
        for field in [\DeviceRegistration.deviceName, \.sdkVersion] {
            var registration = MessageSamples.registration
            registration[keyPath: field] = text
            let encoded = registration.encoded
            #expect(throws: WireError(.invalidValue)) { try DeviceRegistration(decoding: encoded) }
        }
        let message = MessageSamples.request(.notificationsRegister(identifier: text))
        #expect(throws: WireError(.invalidValue)) { try RequestMessage(decoding: message.encoded) }
    }

    @Test func `a clock before 1970 is sent as 1970`() throws {
        var request = MessageSamples.request(.userDelete)
        request.time = Timestamp(millisecondsSinceEpoch: -1)
        #expect(try RequestMessage(decoding: request.encoded).time == Timestamp(millisecondsSinceEpoch: 0))
    }

    @Test func `a refusal is named, and an unknown one keeps its number`() {
        #expect((1...27).map { RefusalCode(rawValue: $0).description }.allSatisfy { !$0.hasPrefix("unknown") })
        #expect(RefusalCode(rawValue: 1_000).description == "unknown(1000)")
        #expect(RefusalCode.ratchetOutdated.rawValue == 3)
        #expect(RefusalCode.notPermitted.rawValue == 13)
        #expect(RefusalCode.suspended.rawValue == 14)
        #expect(RefusalCode.ratchetBehind.rawValue == 15)
        #expect(RefusalCode.keysOutdated.rawValue == 16)
        let approvals: [RefusalCode] = [
            .approvalExpired, .approvalAnswered, .approvalReplaced, .approvalCanceled, .approvalUnknown, .wrongNumber,
            .methodRefused,
        ]
        #expect(approvals.map(\.rawValue) == Array(17...23))
        #expect(RefusalCode.generationOutdated.rawValue == 24)
        #expect(RefusalCode.methodUnknown.rawValue == 25)
        #expect(Set(approvals.map(\.description)).count == 7)
    }

    @Test(arguments: MessageVectors.all.messages.filter { ["RequestMessage", "AnswerMessage"].contains($0.type) })
    func `a byte too many in the middle is refused`(vector: MessageVectors.Message) throws {
        let type = try #require(MessageVectors.types[vector.type])
        for byte: UInt8 in [0x00, 0x80, 0xF6, 0xFF] {
            for place in [vector.bytes.count / 2, 1] {
                let bytes = Array(vector.bytes[..<place]) + [byte] + vector.bytes[place...]
                guard let message = try? type.init(decoding: bytes) else { continue }
                #expect(message.encoded == bytes)
            }
        }
    }

    @Test(arguments: MessageType.allCases)
    func `the names of the types differ, and no other name is accepted`(type: MessageType) throws {
        let answer = MessageSamples.answer(type, .refused(Refusal(.locked)))
        #expect(try AnswerMessage(decoding: answer.encoded).type == type)
        var bytes = answer.encoded
        // The text begins after the heads of the array and of the text.
        let start = type.answerName.utf8.count < 24 ? 2 : 3
        for place in 0..<type.answerName.utf8.count {
            bytes[start + place] ^= 1
            #expect(throws: WireError(.unexpectedMessage)) { try AnswerMessage(decoding: bytes) }
            bytes[start + place] ^= 1
        }
    }

    @Test func `an answer body belongs to one message`() throws {
        let body = AnswerBody.synchronize(generation: 4)
        #expect(body.answer(to: SynchronizeMessage.self)?.generation == 4)
        #expect(body.answer(to: UserDeleteMessage.self) == nil)
        #expect(body == .synchronize(generation: 4) && body != .synchronize(generation: 5))
        #expect(AnswerBody.userDelete != .activationPassword)
        #expect(Set([body, .synchronize(generation: 4), .userDelete]).count == 2)
    }

    @Test func `the registry has one message for each name`() {
        #expect(Set(MessageType.allCases.map(\.requestName)).count == MessageType.allCases.count)
        #expect(MessageType.allCases.allSatisfy { $0.answerName == $0.requestName + "/answer" })
        // A name may be followed by a comma and what is special about the sample.
        let sampled = MessageVectors.all.messages.filter { $0.type == "RequestMessage" }
            .map { String($0.name.prefix { $0 != "," }) }
        #expect(Set(sampled) == Set(MessageType.allCases.map(\.requestName)))
    }
}
