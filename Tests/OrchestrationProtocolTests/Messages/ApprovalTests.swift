import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct ApprovalTests {
    @Test func `a pointer has 28 bytes and 42 characters in a QR code, and is read from each text form`() throws {
        let pointer = ApprovalPointer(tenant: "default", id: ApprovalSamples.id)
        let command = pointer.command
        #expect(command.bytes.count == 28)
        #expect(command.qrText.count == 42)
        let commands = [
            try OrchestrationCommand(text: command.text), try OrchestrationCommand(qrText: command.qrText),
            try OrchestrationCommand(text: command.bytes.hex),
            try OrchestrationCommand(text: command.bytes.hex.uppercased()),
        ]
        for read in commands {
            #expect(try Envelope(decoding: read) == .approvalPointer(pointer))
        }
        #expect(command.description == "OrchestrationCommand(approval pointer, 28 bytes)")
    }

    @Test func `a pointer names its tenant and no other`() {
        let pointer = ApprovalPointer(tenant: "default", id: ApprovalSamples.id)
        #expect(pointer.names(tenant: "default"))
        #expect(!pointer.names(tenant: "Default") && !pointer.names(tenant: ""))
    }

    @Test func `an answer has a number exactly where an approval asks for digits`() {
        let request = ApprovalSamples.login
        var answer = ApprovalSamples.approved
        #expect(answer.isComplete(for: request))
        for number in [nil, "12345", "1234567"] {
            answer.number = number
            #expect(!answer.isComplete(for: request))
        }
        var withoutDigits = request
        withoutDigits.digits = 0
        #expect(answer.isComplete(for: withoutDigits) == false)
        answer.number = nil
        #expect(answer.isComplete(for: withoutDigits))
    }

    @Test func `a fallback is named exactly where the method is not the requested one`() {
        var request = ApprovalSamples.login
        var answer = ApprovalSamples.approved
        answer.fallback = .failed
        #expect(!answer.isComplete(for: request))
        answer.method = .possession
        #expect(answer.isComplete(for: request))
        answer.fallback = nil
        #expect(!answer.isComplete(for: request))
        // A rejection has a requested method of its own.
        answer = ApprovalSamples.rejected
        #expect(!answer.isComplete(for: request))
        answer.fallback = nil
        #expect(answer.isComplete(for: request))
        request.rejectionMethod = .password
        #expect(!answer.isComplete(for: request))
    }

    @Test func `the signatures have labels of their own`() {
        let labels = [
            ApprovalRequestContent.externalAAD, ApprovalAnswerContent.externalAAD, ReceiptConfirmation.externalAAD,
            KeyStatement.externalAAD,
        ]
        #expect(labels[0] == Array("swift-orchestration/1 approval request".utf8))
        #expect(labels[1] == Array("swift-orchestration/1 approval answer".utf8))
        #expect(labels[2] == Array("swift-orchestration/1 receipt".utf8))
        let messages = MessageType.allCases.flatMap { [$0.requestName, $0.answerName] }
            .map { Array("swift-orchestration/1 \($0)".utf8) }
        #expect(Set(labels + messages).count == labels.count + messages.count)
    }

    @Test func `unknown fields are shown from type 64 on, and only as a label and a text`() throws {
        let display = try ApprovalSamples.event().display
        #expect(!display.isDisplayable)
        let shown = display.fields.map { field -> [String?] in
            guard case .unknown(let field) = field else { return ["known"] }
            return [field.label, field.value]
        }
        let hidden: [String?] = [nil, nil]
        #expect(shown == [hidden, hidden, [nil, "shown"], ["Label", "shown"], hidden, hidden, [nil, ""]])
        #expect(ApprovalSamples.login.display.isDisplayable)
        #expect(try ApprovalSamples.payment().display.isDisplayable)
    }

    @Test(arguments: ["a\nb", "a\u{202E}b", "Zoe\u{308}", String(repeating: "x", count: 1_025)])
    func `an unknown field with a text that breaks a rule is not shown`(text: String) throws {
        let field = CBORValue.array([.unsigned(64), .text(text)])
        var request = ApprovalSamples.login
        request.kind = .event
        let bytes = request.encoded
        let place = try #require(bytes.firstRange(of: Array("r-1".utf8))?.upperBound)
        let changed = Array(bytes[..<place]) + CBORValue.array([field]).encoded + bytes[(place + 1)...]
        let read = try ApprovalRequestContent(decoding: changed)
        #expect(read.encoded == changed)
        #expect(!read.display.isDisplayable)
    }
}
