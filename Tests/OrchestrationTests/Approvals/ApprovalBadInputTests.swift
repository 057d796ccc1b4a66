import Crypto
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import OrchestrationProtocol
@testable import TrustedIdentity

/// Approval requests and receipts that are not what they should be. Nothing of them is shown, and nothing is signed.
@Suite struct ApprovalBadInputTests {
    /// How a request is wrong.
    enum Fault: String, CaseIterable, Sendable {
        case otherTenant, otherAccount, otherID, otherKey, alteredField, truncatedSignature, otherLabel, bidirectional
        case control, noField, unknownField, badAmount
    }

    @Test(arguments: Fault.allCases)
    func `a request that is not right is never shown`(fault: Fault) async throws {
        let stage = try await ApprovalStage(user: ScriptedUser([]))
        let (id, pointer) = try stage.desk.request(.transaction, fields: [.text("Pay abc"), .text("to Bob")])
        let entry = try #require(stage.desk.entry(id))
        let forged = try Self.forged(entry, fault, on: stage)
        stage.desk.change(id) { $0.request = forged }
        let error = try await Self.error(of: stage.orchestrator().execute(pointer))
        #expect(error == OrchestrationError(fault == .unknownField ? .cannotDisplay : .invalidAnswer))
        #expect(stage.desk.answers.isEmpty)
    }

    private static func forged(_ entry: ApprovalDesk.Entry, _ fault: Fault, on stage: ApprovalStage) throws -> Sign1 {
        var content = entry.content
        let payload = content.encoded
        let key = stage.stage.platform.platform.keys.signingKey(at: stage.stage.platform.time.now())
        switch fault {
        case .otherTenant: content.tenant = "other"
        case .otherAccount: content.account = "bob@master"
        case .otherID: content.id[0] ^= 1
        case .otherKey:
            let other = try SigningKeyPair(
                privateRepresentation: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
            return try other.sign(payload, externalAAD: ApprovalRequestContent.externalAAD)
        case .alteredField:
            return try Sign1(decoding: replacing("Pay abc", by: Array("Pay abd".utf8), in: entry.request.encoded))
        case .truncatedSignature:
            var bytes = entry.request.encoded
            bytes[bytes.count - 1] ^= 1
            return try Sign1(decoding: bytes)
        case .otherLabel: return try key.sign(payload, externalAAD: ApprovalAnswerContent.externalAAD)
        case .bidirectional:
            return try stage.desk.sign(replacing("abc", by: Array("\u{202E}".utf8), in: payload))
        case .control: return try stage.desk.sign(replacing("abc", by: Array("a\u{1B}c".utf8), in: payload))
        case .noField: return try stage.desk.sign(replacing(Self.encoded(content.display), by: [0x80], in: payload))
        case .unknownField:
            // Type 60 is below those that a device may show without knowing them.
            return try stage.desk.sign(
                replacing([0x82, 0x00] + text("to Bob"), by: [0x82, 0x18, 60] + text("to Bob"), in: payload))
        case .badAmount:
            return try stage.desk.sign(
                replacing([0x82, 0x00] + text("to Bob"), by: [0x82, 0x02] + text("1e5"), in: payload))
        }
        return try stage.desk.sign(content.encoded)
    }

    /// How a receipt is wrong.
    enum ReceiptFault: String, CaseIterable, Sendable {
        case otherAnswer, otherKey, otherOutcome, otherDevice, otherDeviceKey, otherRequest, late
    }

    @Test(arguments: ReceiptFault.allCases)
    func `a receipt that does not verify is no success, and the answer is kept`(fault: ReceiptFault) async throws {
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request()
        let time = stage.stage.platform.time.now()
        let key = stage.stage.platform.platform.keys.signingKey(at: time)
        let other = try SigningKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        stage.desk.tamper(
            { $0 },
            { result in
                guard case .accepted(let body) = result,
                    let parts = body.answer(to: ApprovalAnswerMessage.self)?.receipt
                else { return result }
                var confirmation = try ReceiptConfirmation(decoding: parts.confirmation.payload)
                var (request, answer, signer) = (parts.request, parts.answer, key)
                switch fault {
                case .otherAnswer: answer = try Self.flipped(answer)
                case .otherKey: signer = other
                case .otherOutcome: confirmation.outcome = .rejected
                case .otherDevice: confirmation.deviceID[0] ^= 1
                case .otherDeviceKey:
                    confirmation.deviceKey = Array(P256.Signing.PrivateKey().publicKey.compressedRepresentation)
                case .otherRequest: request = try Self.flipped(request)
                case .late: confirmation.time = time.advanced(seconds: 1_000)
                }
                return .accepted(
                    .approvalAnswer(
                        ReceiptParts(
                            request: request, answer: answer, confirmation: try confirmation.signed(with: [signer]))))
            })
        let error = try await Self.error(of: stage.orchestrator().execute(pointer)) { try await $0.approve() }
        #expect(error == OrchestrationError(.invalidAnswer))
        let kept = try await stage.kept()
        #expect(kept.map(\.id) == [id.bytes])
        // The platform that returns the right receipt later completes it.
        let words = try await story(stage.orchestrator().execute(pointer))
        #expect(words == ["approval 2/2", "succeeded"])
    }

    @Test(arguments: [
        RefusalCode.approvalExpired, .approvalAnswered, .approvalReplaced, .approvalCanceled, .approvalUnknown,
    ])
    func `a request that does not wait is outdated, before and after the decision`(
        code: RefusalCode
    ) async throws {
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request()
        let words = try await story(stage.orchestrator().execute(pointer)) { request in
            stage.desk.change(id) { $0.refusal = code }
            try await request.approve()
        }
        #expect(words == ["approval 1/2", "approval: login", "outdated: \(code)"])
        let again = try await story(stage.orchestrator().execute(pointer))
        #expect(again == ["outdated: \(code)"])
        let kept = try await stage.kept()
        #expect(kept == [])
    }

    @Test(arguments: [
        (RefusalCode.methodRefused, "aborted: methodRefused", false), (.malformed, "aborted: refused(9)", false),
        (.locked, "aborted: userLocked", false), (.suspended, "aborted: suspended", true),
        (.rateLimited, "aborted: rateLimited", true),
    ])
    func `another refusal ends with its cause`(code: RefusalCode, end: String, isKept: Bool) async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request()
        let words = try await story(stage.orchestrator().execute(pointer)) { request in
            stage.desk.refuse(code)
            try await request.approve()
        }
        #expect(words.last == end)
        let kept = try await stage.kept()
        #expect(kept.isEmpty != isKept)
    }

    /// The error of a flow.
    private static func error(
        of flow: AsyncThrowingStream<FlowEvent, any Error>,
        deciding decide: (ApprovalRequest) async throws -> Void = { _ in Issue.record("a request was shown") }
    ) async throws -> OrchestrationError? {
        do {
            for try await event in flow {
                if case .approvalRequired(let request) = event { try await decide(request) }
            }
            return nil
        } catch let error as OrchestrationError {
            return error
        }
    }

    private static func encoded(_ display: DisplayData) -> [UInt8] {
        var writer = CBORWriter(capacity: 256)
        display.write(to: &writer)
        return writer.finish()
    }

    private static func flipped(_ message: Sign1) throws -> Sign1 {
        var bytes = message.encoded
        bytes[bytes.count - 1] ^= 1
        return try Sign1(decoding: bytes)
    }

    private static func text(_ text: String) -> [UInt8] { [0x60 + UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func replacing(_ text: String, by bytes: [UInt8], in whole: [UInt8]) throws -> [UInt8] {
        try replacing(Array(text.utf8), by: bytes, in: whole)
    }

    private static func replacing(_ part: [UInt8], by bytes: [UInt8], in whole: [UInt8]) throws -> [UInt8] {
        let range = try #require(whole.firstRange(of: part))
        return whole.replacingSubrange(range, with: bytes)
    }
}

extension [UInt8] {
    fileprivate func replacingSubrange(_ range: Range<Int>, with bytes: [UInt8]) -> [UInt8] {
        self[..<range.lowerBound] + bytes + self[range.upperBound...]
    }
}
