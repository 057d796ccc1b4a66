import OrchestrationProtocol
import TestSupport
import Testing

/// What the application server says about a refusal, in the extensions of an answer.
@Suite struct RefusalNoticeTests {
    private func answer(
        _ value: CBORValue, result: AnswerResult = .refused(Refusal(.approvalCanceled))
    ) throws -> AnswerMessage {
        var message = MessageSamples.answer(UserDeleteMessage.type, result)
        message.extensions = [RefusalNotice.extensionKey: value]
        return try AnswerMessage(decoding: message.encoded)
    }

    @Test func `a notice has a text, a payload, or both, up to their limits`() throws {
        let text = String(repeating: "é", count: 128)
        let payload = MessageSamples.fill(0xEE, 1_024)
        for notice in [
            try RefusalNotice(text: "x"), try RefusalNotice(payload: [0]),
            try RefusalNotice(text: text, payload: payload),
        ] {
            #expect(try answer(notice.value).notice == notice)
        }
        #expect(try RefusalNotice(text: "x").value.encoded.hex == "826178f6")
    }

    @Test(
        arguments: [
            ("", nil, "textLength"), (String(repeating: "é", count: 128) + "x", nil, "textLength"),
            (" \u{2003}", nil, "textCharacter"), ("a\nb", nil, "textCharacter"), ("a\u{7}b", nil, "textCharacter"),
            ("a\u{85}b", nil, "textCharacter"), ("a\u{202E}b", nil, "textCharacter"), ("x", 0, "payloadLength"),
            ("\u{200B}", nil, "textCharacter"), ("a\u{3164}b", nil, "textCharacter"), ("\u{301}", nil, "textCharacter"),
            ("\u{2800}", nil, "textCharacter"), ("Sold out\u{E0061}", nil, "textCharacter"),
            (nil, 1_025, "payloadLength"), (nil, nil, "empty"),
        ] as [(String?, Int?, String)])
    func `a notice outside its limits is an error, and is ignored in an answer`(
        text: String?, count: Int?, code: String
    ) throws {
        let payload = count.map { MessageSamples.fill(1, $0) }
        let error = #expect(throws: RefusalNoticeError.self) { try RefusalNotice(text: text, payload: payload) }
        #expect(error?.code.description == code)
        let value = CBORValue.array([text.map { .text($0) } ?? .null, payload.map { .bytes($0) } ?? .null])
        let received = try answer(value)
        #expect(received.notice == nil)
        #expect(received.result == .refused(Refusal(.approvalCanceled)))
    }

    @Test(arguments: DisplayDataTests.refused)
    func `a character that is not shown is refused in a notice, alone or inside`(value: UInt32) throws {
        let character = String(try #require(Unicode.Scalar(value)))
        for text in [character, "Sold\(character)out"] {
            let error = #expect(throws: RefusalNoticeError.self) { try RefusalNotice(text: text) }
            #expect(error?.code.description == "textCharacter")
        }
    }

    @Test(
        arguments: [
            .null, .text("x"), .array([]), .array([.text("x")]), .array([.text("x"), .null, .null]),
            .array([.bytes([1]), .null]), .array([.null, .text("x")]), .array([.unsigned(1), .bytes([1])]),
        ] as [CBORValue])
    func `a value of another form is no notice`(value: CBORValue) throws {
        #expect(try answer(value).notice == nil)
    }

    @Test func `the vectors have a notice, and one that is ignored`() throws {
        let rows = MessageVectors.all.messages.filter { $0.name.contains("a notice") }
        let notices = try rows.map { try AnswerMessage(decoding: $0.bytes).notice }
        let both = try RefusalNotice(text: "Sold out")
        #expect(notices == [try RefusalNotice(text: "Sold out – désolé", payload: [0xEE, 0xEE, 0xEE]), nil, both])
    }

    @Test func `the text is displayed in an isolate`() throws {
        #expect(try RefusalNotice(text: "x").displayed == "\u{2068}x\u{2069}")
        #expect(try RefusalNotice(payload: [1]).displayed == nil)
    }

    @Test func `an acceptance has no notice`() throws {
        let value = try RefusalNotice(text: "x").value
        #expect(try answer(value, result: .accepted(.userDelete)).notice == nil)
    }

    @Test func `neither printing nor reflection shows a notice`() throws {
        let notice = try RefusalNotice(text: "canary-7391", payload: Array("canary-7391".utf8))
        var text = ""
        dump(notice, to: &text)
        text += "\(notice)" + String(reflecting: notice)
        #expect(!text.contains("canary") && !text.contains("99"))
    }
}
