import OrchestrationProtocol
import TestSupport
import Testing

/// The map at the end of each signed message and each sealed body of an activation. The vectors have a row for each
/// message and each way in which the map can be wrong.
@Suite struct ExtensionsTests {
    @Test func `a message has no extensions unless a sender adds some, and they are one byte`() {
        #expect(MessageSamples.request(.userDelete).extensions == .none)
        #expect(MessageSamples.answer(UserDeleteMessage.type, .refused(Refusal(.locked))).extensions == .none)
        #expect(MessageSamples.registration.extensions == .none)
        #expect(MessageSamples.provisioning.extensions == .none)
        #expect(MessageSamples.request(.userDelete).encoded.last == 0xA0)
    }

    @Test func `unknown extensions are ignored, and kept as they were signed`() throws {
        var message = MessageSamples.request(.userDelete)
        message.extensions = [7: .text("later"), 0: .unsigned(1)]
        let received = try RequestMessage(decoding: message.encoded)
        #expect(received == message)
        #expect(received.encoded == message.encoded)
        #expect(received.body == .userDelete && received.ratchetIndex == 7)
        #expect(received.extensions[7] == .text("later"))
        #expect(received.extensions[0] == .unsigned(1))
        #expect(received.extensions[1] == nil)
        #expect(!received.extensions.isEmpty)
    }

    @Test func `extensions are written in one order`() {
        let pairs: [(key: Int64, value: CBORValue)] = [(24, .null), (0, .null), (300, .null), (-1, .null), (23, .null)]
        for shift in pairs.indices {
            var message = MessageSamples.request(.userDelete)
            message.extensions = Extensions(Array(pairs[shift...] + pairs[..<shift]))
            // The keys 0, 23, 24, 300 and -1, each with null.
            let inOrder = "a500f617f61818f619012cf620f6"
            #expect(message.encoded.hex.hasSuffix(inOrder))
        }
    }

    @Test func `a critical extension is named in the error, with its place`() {
        var message = MessageSamples.request(.userDelete)
        message.extensions = [4: .unsigned(1), -9: .null]
        let bytes = message.encoded
        let error = #expect(throws: WireError.self) { try RequestMessage(decoding: bytes) }
        #expect(error?.code == .unknownCriticalExtension)
        #expect(error?.offset == bytes.count - 2)
        #expect(error.map { "\($0)" }?.hasSuffix("a critical extension is unknown") == true)
    }

    @Test(arguments: [4_603, 4_604])
    func `extensions have at most 4,608 bytes`(count: Int) throws {
        var provisioning = MessageSamples.provisioning
        provisioning.extensions = [1: .bytes(MessageSamples.fill(0xEE, count))]
        let bytes = provisioning.encoded
        if count == 4_603 {
            #expect(try Provisioning(decoding: bytes) == provisioning)
        } else {
            #expect(throws: WireError(.tooLarge)) { try Provisioning(decoding: bytes) }
        }
    }

    @Test func `a message may have 16 extensions and no more`() throws {
        for count in [16, 17] as [Int64] {
            var answer = MessageSamples.answer(UserDeleteMessage.type, .accepted(.userDelete))
            answer.extensions = Extensions((0..<count).map { (key: $0, value: .null) })
            let bytes = answer.encoded
            if count == 16 {
                #expect(try AnswerMessage(decoding: bytes) == answer)
            } else {
                #expect(throws: WireError(.tooManyItems)) { try AnswerMessage(decoding: bytes) }
            }
        }
    }
}
