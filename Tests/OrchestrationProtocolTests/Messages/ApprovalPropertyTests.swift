import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Random contents and random changes. The draws are the same in every run.
@Suite struct ApprovalPropertyTests {
    private static let characters: [String] = ["a", " ", "Z", "7", "é", "ß", "中", "𐅑", "नि", "👩\u{200D}🔬", ".", "-"]

    private func text(_ count: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        let length = Int.random(in: count, using: &random)
        // At least one character that is not white space.
        var text = "x"
        for _ in 0..<length {
            let next = text + (Self.characters.randomElement(using: &random) ?? "a")
            if next.unicodeScalars.count <= length { text = next }
        }
        return text
    }

    private func fields(_ random: inout SeededGenerator) throws -> [DisplayField] {
        var fields: [DisplayField] = []
        if Bool.random(using: &random) {
            let currency = try Currency(["EUR", "JPY", "KWD", "CLF"].randomElement(using: &random) ?? "EUR")
            let places = Int.random(in: 0...currency.decimalPlaces, using: &random)
            let whole = UInt64.random(in: 0...99_999_999_999, using: &random)
            let fraction = (0..<places).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
            fields += [.amount(try Amount(places == 0 ? "\(whole)" : "\(whole).\(fraction)")), .currency(currency)]
        }
        if Bool.random(using: &random) { fields.append(.creditor(text(1...140, &random))) }
        if Bool.random(using: &random) { fields.append(.creditorAccount(try IBAN("GB82WEST12345698765432"))) }
        if Bool.random(using: &random) { fields.append(.remittance(text(1...140, &random))) }
        if Bool.random(using: &random) {
            fields.append(.time(Timestamp(millisecondsSinceEpoch: .random(in: 0...Int64.max, using: &random))))
        }
        if Bool.random(using: &random) { fields.append(.requester(text(1...64, &random))) }
        if Bool.random(using: &random) { fields.append(.place(text(1...64, &random))) }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            fields.append(
                Bool.random(using: &random)
                    ? .text(text(1...100, &random))
                    : .field(label: text(1...64, &random), value: text(1...100, &random)))
        }
        return fields
    }

    private func request(_ random: inout SeededGenerator) throws -> ApprovalRequestContent {
        let created = Timestamp(millisecondsSinceEpoch: .random(in: 0...(1 << 50), using: &random))
        let fields = try fields(&random)
        let method = AuthenticationMethod.allCases.randomElement(using: &random) ?? .password
        return ApprovalRequestContent(
            tenant: "default", account: "alice@master", id: random.bytes(16),
            kind: fields.isEmpty ? .login : ApprovalKind.allCases.randomElement(using: &random) ?? .event,
            sessionID: Bool.random(using: &random) ? "" : random.bytes(16).hex, requestID: random.bytes(32).hex,
            display: try DisplayData(fields), approvalMethod: method,
            rejectionMethod: Bool.random(using: &random) ? method : .possession,
            digits: [0, 2, 6, 8].randomElement(using: &random) ?? 0, created: created,
            expiry: created.advanced(milliseconds: .random(in: 1_000...300_000, using: &random)),
            decisionRecord: Bool.random(using: &random) ? nil : random.bytes(16),
            principal: try ApprovalPrincipal(
                id: Bool.random(using: &random) ? "" : random.bytes(8).hex, name: text(1...64, &random)))
    }

    @Test func `a request is read as it is written`() throws {
        var random = SeededGenerator(seed: 10)
        for _ in 0..<300 {
            let request = try request(&random)
            let bytes = request.encoded
            let read = try ApprovalRequestContent(decoding: bytes)
            #expect(read == request)
            #expect(read.encoded == bytes)
            #expect(try CBORValue(decoding: bytes).encoded == bytes)
        }
    }

    @Test func `an answer is read as it is written`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let isApproval = Bool.random(using: &random)
            let number = String(Int.random(in: 10...99_999_999, using: &random))
            let answer = ApprovalAnswerContent(
                deviceID: random.bytes(16), requestHash: random.bytes(32),
                method: AuthenticationMethod.allCases.randomElement(using: &random) ?? .password,
                fallback: Bool.random(using: &random) ? nil : FallbackReason.allCases.randomElement(using: &random),
                decision: isApproval
                    ? .approved : .rejected(RejectionReason.allCases.randomElement(using: &random) ?? .notMe),
                number: isApproval && Bool.random(using: &random) ? number : nil,
                time: Timestamp(millisecondsSinceEpoch: .random(in: 0...Int64.max, using: &random)))
            let bytes = answer.encoded
            #expect(try ApprovalAnswerContent(decoding: bytes) == answer)
            #expect(try ApprovalAnswerContent(decoding: bytes).encoded == bytes)
        }
    }

    @Test func `changed bytes are refused, or decode to what has these bytes`() throws {
        var random = SeededGenerator(seed: 12)
        var accepted = 0
        for _ in 0..<2_000 {
            var bytes = try request(&random).encoded
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            guard let read = try? ApprovalRequestContent(decoding: bytes) else { continue }
            accepted += 1
            if read.encoded != bytes { Issue.record("\(bytes.hex)") }
        }
        // A changed id or hash is as good as another one.
        #expect(accepted > 20)
    }
}
