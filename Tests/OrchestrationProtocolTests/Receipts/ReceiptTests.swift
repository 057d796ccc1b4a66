import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Returns the code of the error that a step of a verification throws.
private func invalidity<Value>(_ verify: () throws -> Value) -> ReceiptError.Code? {
    do {
        _ = try verify()
        return nil
    } catch {
        return (error as? ReceiptError)?.code
    }
}

/// The files in `Tests/Vectors/receipts`, which `verify.py` there judges in the same way.
@Suite struct ReceiptFileTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let step: Int?
        let code: String?
        var testDescription: String { name }
    }

    static let rows = Vectors.load([Row].self, "receipts/receipts.json")

    private let json: [UInt8]

    init() throws { json = [UInt8](try Vectors.data("receipts/platform-keys.json")) }

    private func text(_ name: String) throws -> String {
        String(decoding: try Vectors.data("receipts/\(name).receipt"), as: UTF8.self)
    }

    @Test func `there is one good receipt, and thirteen others for all eight steps`() {
        #expect(Self.rows.count == 14)
        #expect(Self.rows.filter { $0.step == nil }.map(\.name) == ["good"])
        #expect(Set(Self.rows.compactMap(\.step)) == Set(1...8))
    }

    @Test(arguments: rows) func `a receipt is valid, or the step that fails is named`(row: Row) throws {
        let keys = try PublishedKeys(pages: [json])
        let text = try text(row.name)
        let code = invalidity { try Receipt(text: text).verify(with: keys) }
        #expect(code?.description == row.code)
        #expect(code?.step == row.step)
    }

    @Test func `the good receipt states what was approved`() throws {
        let receipt = try Receipt(text: text("good"))
        let verified = try receipt.verify(with: PublishedKeys(pages: [json]))
        #expect(verified.tenant == "default" && verified.account == "alice@master")
        #expect(try verified.principal == ApprovalPrincipal(id: "0123456789abcdef", name: "Example Shop"))
        #expect(verified.kind == .transaction && verified.requestID == "r-1" && verified.sessionID == "session 7")
        #expect(verified.decision == .approved && verified.outcome == .approved && verified.number == "042917")
        #expect(verified.requestedMethod == .password && verified.method == .password && verified.fallback == nil)
        #expect(verified.verifiedMethod == .password)
        #expect(verified.deviceID == [UInt8](repeating: 0x33, count: 16))
        #expect(verified.approvalID == [UInt8](repeating: 0x51, count: 16))
        #expect(verified.decisionRecord == [UInt8](repeating: 0x52, count: 16))
        #expect(verified.expiry == verified.created.advanced(seconds: 120))
        #expect(verified.answered == verified.created.advanced(seconds: 9))
        #expect(verified.decided == verified.created.advanced(seconds: 10))
        #expect(
            verified.display.fields == [
                .field(label: "Reference", value: "Invoice 17"), .amount(try Amount("1234.50")),
                .currency(try Currency("EUR")), .creditor("Zoë’s Café"),
                .creditorAccount(try IBAN("DE89370400440532013000")),
            ])
        #expect(verified.uncheckedAlgorithms.isEmpty)
    }

    @Test func `a receipt is read from its text and its bytes, and shows nothing in a log`() throws {
        let text = try text("good")
        let receipt = try Receipt(text: text)
        #expect(text == receipt.text + "\n")
        #expect(try Receipt(text: " \n\(receipt.text)\r\n ") == receipt)
        #expect(try Receipt(bytes: receipt.bytes) == receipt)
        #expect("\(receipt)" == "Receipt(\(receipt.bytes.count) bytes)")
        #expect(String(reflecting: receipt) == "\(receipt)")
        for broken in ["", " ", "=", receipt.text + "=", "#", String(receipt.text.dropLast()) + "+", "a b"] {
            let code = invalidity { try Receipt(text: broken) }
            #expect(code == .invalidText || code == .malformed)
        }
        #expect(invalidity { try Receipt(text: "a b") } == .invalidText)
        #expect(invalidity { try Receipt(text: String(repeating: "A", count: 30_000)) } == .invalidText)
        #expect(invalidity { try Receipt(bytes: []) } == .malformed)
        #expect(invalidity { try Receipt(bytes: receipt.bytes + [0]) } == .malformed)
    }

    @Test func `the key statements are verified, with the fingerprint of any of them`() throws {
        let receipt = try Receipt(text: text("good"))
        func code(_ pages: [UInt8]..., fingerprint: String? = nil) -> ReceiptError.Code? {
            invalidity { try receipt.verify(with: PublishedKeys(pages: pages, fingerprint: fingerprint)) }
        }
        struct File: Decodable {
            struct Entry: Decodable { let statement: String }
            let statements: [Entry]
        }
        let entries = try Vectors.decode(File.self, "receipts/platform-keys.json").statements.map(\.statement)
        #expect(entries.count == 2)
        func file(_ entries: [String]) -> [UInt8] {
            Array("{\"statements\":[\(entries.map { "{\"statement\":\"\($0)\"}" }.joined(separator: ","))]}".utf8)
        }
        for entry in entries {
            let payload = try SignatureList(decoding: Base64URL.decode(entry)).payload
            let fingerprint = [UInt8](SHA256.hash(data: payload)).hex
            #expect(code(file(entries), fingerprint: fingerprint) == nil)
            #expect(code(file(entries), fingerprint: fingerprint.uppercased()) == nil)
        }
        #expect(code(file(entries)) == nil)
        #expect(code(file(entries), fingerprint: String(repeating: "0", count: 64)) == .platformKeys)
        #expect(code(file(entries), fingerprint: "") == .platformKeys)
        #expect(code(file(entries), fingerprint: "no digits") == .platformKeys)
        #expect(code(file([entries[1]])) == .platformKeys)
        #expect(code(file(entries.reversed())) == .platformKeys)
        #expect(code(file([])) == .platformKeys)
        #expect(code(file(["gQ", entries[1]])) == .platformKeys)
        #expect(code(file(["="])) == .platformKeys)
        #expect(code(Array("[]".utf8)) == .platformKeys)
        #expect(code([]) == .platformKeys)
        // Statement 1 alone does not list the key that signed the receipt.
        #expect(code(file([entries[0]])) == .confirmationKeyUnknown)
        func page(_ entry: String, next: Int? = nil) -> [UInt8] {
            let member = next.map { ",\"nextPage\":\($0)" } ?? ""
            return Array("{\"statements\":[{\"statement\":\"\(entry)\"}]\(member)}".utf8)
        }
        let (first, second) = (page(entries[0], next: 2), page(entries[1]))
        #expect(code(first, second) == nil)
        #expect(code(first) == .platformKeys, "the last page is missing, which may end a key")
        #expect(code(second) == .platformKeys && code(second, first) == .platformKeys && code() == .platformKeys)
        let error = #expect(throws: ReceiptError.self) { try PublishedKeys(pages: [file([])]) }
        #expect(error?.step == 0)
    }
}

/// Receipts of which one thing is wrong, and everything else is signed as it should be.
@Suite struct ReceiptTests {
    private let fixture: ApprovalFixture

    init() throws { fixture = try ApprovalFixture() }

    private func code(_ receipt: Receipt) -> ReceiptError.Code? {
        let published = invalidity { try receipt.verify(with: fixture.published) }
        #expect(invalidity { try receipt.verify(with: fixture.statement) } == published)
        return published
    }

    private func seconds(_ count: Int64) -> Timestamp { ApprovalFixture.created.advanced(seconds: count) }

    @Test func `a receipt is verified, and re-encoded to its bytes`() async throws {
        let receipt = try await fixture.receipt()
        #expect(code(receipt) == nil)
        #expect(try Receipt(bytes: receipt.bytes) == receipt)
        #expect(receipt.parts.encoded == receipt.bytes)
    }

    @Test func `every flipped bit of a receipt is refused`() async throws {
        let receipt = try await fixture.receipt()
        var accepted: [[UInt8]] = []
        for flipped in receipt.bytes.bitFlips
        where invalidity({
            try Receipt(bytes: flipped).verify(with: fixture.published)
        }) == nil {
            accepted.append(flipped)
        }
        #expect(accepted.isEmpty)
        for truncated in receipt.bytes.truncations {
            #expect(invalidity { try Receipt(bytes: truncated) } == .malformed)
        }
    }

    @Test func `parts of another receipt are refused`() async throws {
        let receipt = try await fixture.receipt().parts
        let other = try await fixture.receipt(request: { $0.requestID = "other" }).parts
        func code(_ request: Sign1, _ answer: Sign1, _ confirmation: SignatureList) -> ReceiptError.Code? {
            self.code(Receipt(ReceiptParts(request: request, answer: answer, confirmation: confirmation)))
        }
        #expect(code(other.request, receipt.answer, receipt.confirmation) == .otherRequest)
        #expect(code(receipt.request, other.answer, receipt.confirmation) == .otherAnswer)
        #expect(code(receipt.request, receipt.answer, other.confirmation) == .otherRequest)
        #expect(code(other.request, other.answer, other.confirmation) == nil)
    }

    @Test func `the platform's keys are those of the times of the request and of the confirmation`() async throws {
        let parts = try await fixture.receipt().parts
        let confirmation = fixture.confirmation(of: parts.request, parts.answer)
        func code(confirmedBy key: SigningKeyPair) throws -> ReceiptError.Code? {
            self.code(
                Receipt(
                    ReceiptParts(
                        request: parts.request, answer: parts.answer,
                        confirmation: try confirmation.signed(with: [key]))))
        }
        #expect(try code(confirmedBy: fixture.key) == nil)
        #expect(try code(confirmedBy: fixture.oldKey) == .confirmationKeyNotValid)
        #expect(try code(confirmedBy: fixture.stranger) == .confirmationKeyUnknown)
        func code(requestedBy key: SigningKeyPair) async throws -> ReceiptError.Code? {
            let request = try fixture.payment().signed(with: key)
            let answer = try await fixture.signed(fixture.approval(of: request))
            let confirmation = try fixture.confirmation(of: request, answer).signed(with: [fixture.key])
            return self.code(Receipt(ReceiptParts(request: request, answer: answer, confirmation: confirmation)))
        }
        #expect(try await code(requestedBy: fixture.key) == nil)
        #expect(try await code(requestedBy: fixture.oldKey) == .requestKeyNotValid)
        #expect(try await code(requestedBy: fixture.stranger) == .requestKeyUnknown)
    }

    @Test func `one signature that does not verify makes the confirmation invalid`() async throws {
        let parts = try await fixture.receipt().parts
        let confirmation = fixture.confirmation(of: parts.request, parts.answer)
        func code(_ keys: [SigningKeyPair]) throws -> ReceiptError.Code? {
            let list = try confirmation.signed(with: keys)
            return self.code(
                Receipt(ReceiptParts(request: parts.request, answer: parts.answer, confirmation: list)))
        }
        #expect(try code([fixture.key, fixture.key]) == nil)
        #expect(try code([fixture.key, fixture.stranger]) == .confirmationKeyUnknown)
        #expect(try code([fixture.oldKey, fixture.key]) == .confirmationKeyNotValid)
    }

    @Test func `a signature of an algorithm to come is named, and one of a known algorithm must be there`() async throws
    {
        let parts = try await fixture.receipt().parts
        let list = try Sign1Forgery.adding(algorithm: .mlDSA65, to: parts.confirmation)
        let receipt = Receipt(ReceiptParts(request: parts.request, answer: parts.answer, confirmation: list))
        #expect(try receipt.verify(with: fixture.published).uncheckedAlgorithms == ["ML-DSA-65"])
        var bytes = CBORWriter()
        bytes.array(3)
        bytes.bytes(parts.request.encoded)
        bytes.bytes(parts.answer.encoded)
        bytes.encoded(try Sign1Forgery.only(algorithm: .mlDSA65, of: parts.confirmation))
        let alone = bytes.finish()
        #expect(invalidity { try Receipt(bytes: alone) } == .unsupportedAlgorithm)
    }

    @Test func `the answer is signed by the device key in the confirmation`() async throws {
        let other = P256.Signing.PrivateKey().publicKey.compressedRepresentation
        #expect(code(try await fixture.receipt(confirmation: { $0.deviceKey = [UInt8](other) })) == .answerNotAuthentic)
        // Bytes that are no point of the curve.
        let none = try await fixture.receipt(confirmation: { $0.deviceKey = [UInt8](repeating: 0xFF, count: 33) })
        #expect(code(none) == .answerNotAuthentic)
    }

    @Test func `all parts are about one account, device, request and decision record`() async throws {
        let other = [UInt8](repeating: 9, count: 16)
        #expect(code(try await fixture.receipt(confirmation: { $0.tenant = "other" })) == .otherAccount)
        #expect(code(try await fixture.receipt(confirmation: { $0.account = "bob@master" })) == .otherAccount)
        #expect(code(try await fixture.receipt(request: { $0.account = "bob@master" })) == .otherAccount)
        #expect(code(try await fixture.receipt(answer: { $0.deviceID = other })) == .otherDevice)
        #expect(code(try await fixture.receipt(confirmation: { $0.deviceID = other })) == .otherDevice)
        let hash = [UInt8](repeating: 9, count: 32)
        #expect(code(try await fixture.receipt(answer: { $0.requestHash = hash })) == .otherApproval)
        #expect(code(try await fixture.receipt(confirmation: { $0.decisionRecord = other })) == .otherDecisionRecord)
        #expect(code(try await fixture.receipt(confirmation: { $0.decisionRecord = nil })) == .otherDecisionRecord)
        // Two spellings that Swift calls equal.
        let spelled = try await fixture.receipt(
            request: { $0.account = "zo\u{EB}@master" }, confirmation: { $0.account = "zoe\u{308}@master" })
        #expect(code(spelled) == .otherAccount)
    }

    @Test func `the outcome agrees with the decision`() async throws {
        func code(
            _ outcome: ApprovalOutcome, verified: AuthenticationMethod? = .password,
            _ change: @escaping (inout ApprovalAnswerContent) -> Void = { _ in }
        ) async throws -> ReceiptError.Code? {
            self.code(
                try await fixture.receipt(
                    answer: change,
                    confirmation: {
                        $0.outcome = outcome
                        $0.verifiedMethod = verified
                    }))
        }
        func reject(_ answer: inout ApprovalAnswerContent) {
            answer.decision = .rejected(.notMe)
            answer.number = nil
            answer.method = .possession
        }
        #expect(try await code(.approved) == nil)
        #expect(try await code(.wrongNumber) == nil)
        #expect(try await code(.methodRefused) == nil)
        #expect(try await code(.rejected) == .wrongOutcome)
        #expect(try await code(.rejected, verified: .possession, reject) == nil)
        #expect(try await code(.rejected, verified: nil, reject) == nil)
        #expect(try await code(.methodRefused, verified: .possession, reject) == nil)
        #expect(try await code(.approved, verified: .possession, reject) == .wrongOutcome)
        #expect(try await code(.wrongNumber, verified: .possession, reject) == .wrongOutcome)
        // The method that was verified.
        #expect(try await code(.approved, verified: nil) == .wrongMethod)
        #expect(try await code(.wrongNumber, verified: nil) == .wrongMethod)
        #expect(try await code(.methodRefused, verified: nil) == nil)
        #expect(try await code(.approved, verified: .possession) == .wrongMethod)
        #expect(try await code(.rejected, verified: .password, reject) == .wrongMethod)
        // A software provider counts as possession.
        func byFinger(_ verified: AuthenticationMethod) async throws -> ReceiptError.Code? {
            self.code(
                try await fixture.receipt(
                    request: { $0.approvalMethod = .biometric }, answer: { $0.method = .biometric },
                    confirmation: { $0.verifiedMethod = verified }))
        }
        #expect(try await byFinger(.biometric) == nil)
        #expect(try await byFinger(.possession) == nil)
        #expect(try await byFinger(.face) == .wrongMethod)
        #expect(try await byFinger(.password) == .wrongMethod)
    }

    @Test func `a wrong number needs a number`() async throws {
        let receipt = try await fixture.receipt(
            request: { $0.digits = 0 }, answer: { $0.number = nil }, confirmation: { $0.outcome = .wrongNumber })
        #expect(code(receipt) == .wrongOutcome)
    }

    @Test func `the answer has what the request asks for`() async throws {
        #expect(code(try await fixture.receipt(answer: { $0.number = nil })) == .incompleteAnswer)
        #expect(code(try await fixture.receipt(answer: { $0.number = "12345" })) == .incompleteAnswer)
        #expect(code(try await fixture.receipt(request: { $0.digits = 0 })) == .incompleteAnswer)
        #expect(code(try await fixture.receipt(answer: { $0.fallback = .failed })) == .incompleteAnswer)
        let other = try await fixture.receipt(request: { $0.approvalMethod = .biometric })
        #expect(code(other) == .incompleteAnswer)
        let fallback = try await fixture.receipt(
            request: { $0.approvalMethod = .biometric }, answer: { $0.fallback = .notEnrolled })
        #expect(try fallback.verify(with: fixture.published).fallback == .notEnrolled)
    }

    @Test func `the decision was made while the request could be answered, and near the time of the answer`()
        async throws
    {
        func code(_ time: Timestamp, answered: Timestamp? = nil) async throws -> ReceiptError.Code? {
            self.code(
                try await fixture.receipt(
                    request: { $0.expiry = $0.created.advanced(seconds: 300) },
                    answer: { $0.time = answered ?? time }, confirmation: { $0.time = time }))
        }
        #expect(try await code(seconds(0)) == nil)
        #expect(try await code(seconds(300)) == nil)
        #expect(try await code(seconds(0).advanced(milliseconds: -1)) == .wrongTime)
        #expect(try await code(seconds(300).advanced(milliseconds: 1)) == .wrongTime)
        #expect(try await code(seconds(10), answered: seconds(310)) == nil)
        #expect(try await code(seconds(10), answered: seconds(-290)) == nil)
        #expect(try await code(seconds(10), answered: seconds(310).advanced(milliseconds: 1)) == .wrongTime)
        #expect(try await code(seconds(10), answered: seconds(-290).advanced(milliseconds: -1)) == .wrongTime)
        let farthest = Timestamp(millisecondsSinceEpoch: .max)
        #expect(try await code(seconds(10), answered: farthest) == .wrongTime)
    }

    @Test func `a receipt with a field that this version cannot show is valid`() async throws {
        let field = CBORValue.array([.unsigned(1), .text("label"), .text("value")]).encoded
        let receipt = try await fixture.receipt(request: { content in
            content.display = try DisplayData([.field(label: "label", value: "value")])
            var bytes = content.encoded
            let place = try #require(bytes.firstRange(of: field)).lowerBound
            bytes[place + 1] = 10
            content = try ApprovalRequestContent(decoding: bytes)
        })
        let verified = try receipt.verify(with: fixture.published)
        guard case .unknown(let unknown) = verified.display.fields.first else {
            Issue.record("the field is not unknown")
            return
        }
        #expect(unknown.type == 10 && unknown.value == nil)
    }

    @Test func `an error says what to do with it, and names no data`() async throws {
        let receipt = try await fixture.receipt(confirmation: { $0.account = "bob@master" })
        let error = #expect(throws: ReceiptError.self) { try receipt.verify(with: fixture.published) }
        #expect(error?.description == "otherAccount: the approval request is of another tenant or account")
        #expect(error?.step == 6)
    }
}
