import TestSupport
import Testing
import Wire

/// A view is what a message is before its fields are copied.
@Suite struct ViewTests {
    static let requests = MessageVectors.all.messages.filter { $0.type == "RequestMessage" }
    static let answers = MessageVectors.all.messages.filter { $0.type == "AnswerMessage" }

    @Test func `there are vectors of both`() {
        #expect(Self.requests.count == 5)
        #expect(Self.answers.count == 8)
    }

    @Test(arguments: requests)
    func `the fields of a viewed request are those of the message`(vector: MessageVectors.Message) throws {
        let (bytes, message) = (vector.bytes, try RequestMessage(decoding: vector.bytes))
        let view = try RequestMessage.View(decoding: bytes)
        #expect(view.type == message.type)
        #expect(bytes[view.tenant].elementsEqual(message.tenant.utf8))
        #expect(bytes[view.account].elementsEqual(message.account.utf8))
        #expect([UInt8](bytes[view.deviceID]) == message.deviceID)
        #expect([UInt8](bytes[view.requestID]) == message.requestID)
        #expect(view.time == message.time)
        #expect(view.ratchetIndex == message.ratchetIndex)
        #expect(view.reread == message.reread)
        switch (view.body, message.body) {
        case (.activationPassword, .activationPassword), (.userDelete, .userDelete): break
        case (.activationComplete(let range), .activationComplete(let hash)): #expect([UInt8](bytes[range]) == hash)
        case (.notificationsRegister(let range), .notificationsRegister(let identifier)):
            #expect(bytes[range].elementsEqual(identifier.utf8))
        case (.synchronize(let viewed, let range), .synchronize(let generation, let counters)):
            #expect(viewed == generation)
            #expect(try CBORValue(decoding: [UInt8](bytes[range])) == .array(counters.map(Self.value)))
        default: Issue.record("another body")
        }
    }

    private static func value(_ counter: ApplicationCounter) -> CBORValue {
        .array([.unsigned(UInt64(counter.application)), .unsigned(counter.counter)])
    }

    @Test(arguments: answers)
    func `the fields of a viewed answer are those of the message`(vector: MessageVectors.Message) throws {
        let (bytes, message) = (vector.bytes, try AnswerMessage(decoding: vector.bytes))
        let view = try AnswerMessage.View(decoding: bytes)
        #expect(view.type == message.type)
        #expect(bytes[view.tenant].elementsEqual(message.tenant.utf8))
        #expect(bytes[view.account].elementsEqual(message.account.utf8))
        #expect([UInt8](bytes[view.deviceID]) == message.deviceID)
        #expect([UInt8](bytes[view.requestID]) == message.requestID)
        #expect(view.time == message.time)
        #expect(view.ratchetIndex == message.ratchetIndex)
        #expect(view.failedCodes == message.failedCodes)
        #expect(view.result == message.result)
    }

    @Test(arguments: requests)
    func `whatever is changed or cut off is refused by view and message alike`(vector: MessageVectors.Message) {
        for changed in Array(vector.bytes.bitFlips) + Array(vector.bytes.truncations) + Self.insertions(vector.bytes) {
            let (viewed, owned) = (
                refusal { _ = try RequestMessage.View(decoding: changed) },
                refusal { _ = try RequestMessage(decoding: changed) }
            )
            if viewed != owned { Issue.record("\(changed.hex): \(viewed ?? "accepted") and \(owned ?? "accepted")") }
        }
    }

    @Test(arguments: answers)
    func `whatever is changed or cut off is refused by view and answer alike`(vector: MessageVectors.Message) {
        for changed in Array(vector.bytes.bitFlips) + Array(vector.bytes.truncations) + Self.insertions(vector.bytes) {
            let (viewed, owned) = (
                refusal { _ = try AnswerMessage.View(decoding: changed) },
                refusal { _ = try AnswerMessage(decoding: changed) }
            )
            if viewed != owned { Issue.record("\(changed.hex): \(viewed ?? "accepted") and \(owned ?? "accepted")") }
        }
    }

    /// The bytes with one that is too many, at the end and in the middle.
    private static func insertions(_ bytes: [UInt8]) -> [[UInt8]] {
        [0x00, 0x80, 0xF6, 0xFF].flatMap { byte in
            [bytes.count, bytes.count / 2, 1].map { place in [UInt8](bytes[..<place]) + [byte] + bytes[place...] }
        }
    }

    /// The code and the place of the refusal; nothing when there is none.
    private func refusal(_ decode: () throws -> Void) -> String? {
        do {
            try decode()
            return nil
        } catch {
            guard let error = error as? WireError else { return "\(error)" }
            return "\(error.code) at \(error.offset ?? -1)"
        }
    }

    @Test func `the names of the types are told apart, and parts of them are none`() throws {
        for type in MessageType.allCases {
            let answer = MessageSamples.answer(type, .refused(Refusal(.locked)))
            #expect(try AnswerMessage(decoding: answer.encoded).type == type)
            var bytes = answer.encoded
            // The text begins after the heads of the array and of the text.
            let start = type.rawValue.utf8.count + "/answer".utf8.count < 24 ? 2 : 3
            for place in 0..<type.rawValue.utf8.count + 7 {
                bytes[start + place] ^= 1
                #expect(throws: WireError(.unexpectedMessage)) { try AnswerMessage(decoding: bytes) }
                #expect(throws: WireError(.unexpectedMessage)) { try AnswerMessage.View(decoding: bytes) }
                bytes[start + place] ^= 1
            }
        }
    }
}
