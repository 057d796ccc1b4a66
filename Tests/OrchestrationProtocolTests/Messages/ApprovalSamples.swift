import OrchestrationProtocol
import Primitives

/// The approval requests, answers and receipts of the vector file, made with the library.
enum ApprovalSamples {
    static let id = MessageSamples.fill(0x51, 16)
    static let created = Timestamp(millisecondsSinceEpoch: 1_790_000_000_000)

    static let login = ApprovalRequestContent(
        tenant: "default", account: "alice@master", id: id, kind: .login, requestID: "r-1", approvalMethod: .password,
        rejectionMethod: .possession, digits: 6, created: created, expiry: created.advanced(seconds: 120),
        principal: ApprovalPrincipal(tenant: "default"))

    static func payment() throws -> ApprovalRequestContent {
        ApprovalRequestContent(
            tenant: "default", account: "zoë@bank.example", id: id, kind: .transaction, sessionID: "session 7",
            requestID: String(repeating: "r", count: 64),
            display: try DisplayData([
                .text("Please check the payee."), .field(label: "Reference", value: "RF18 5390 0754 7034"),
                .field(label: "Note", value: ""), .amount(Amount("1234.50")), .currency(Currency("EUR")),
                .creditor("Zoë’s Café"), .creditorAccount(IBAN("DE89370400440532013000")), .remittance("Invoice 17"),
                .time(created.advanced(milliseconds: 1)), .requester("Example Bank"), .place("Vienna"),
            ]),
            approvalMethod: .password, rejectionMethod: .password, created: created,
            expiry: created.advanced(seconds: 300), decisionRecord: MessageSamples.fill(0x52, 16),
            principal: try ApprovalPrincipal(id: String(repeating: "f", count: 64), name: "Zoë’s Shop"))
    }

    private static func joined() throws -> ApprovalRequestContent {
        var request = login
        request.display = try DisplayData(
            [
                "می\u{200C}خواهم", "क्\u{200D}ष", "👨\u{200D}👩\u{200D}👧", "👩🏽\u{200D}🔬",
                "🏳\u{FE0F}\u{200D}🌈", "❤\u{FE0F}", "🇦🇹", "1\u{20E3}",
            ].map(DisplayField.text))
        return request
    }

    /// A request that the library can read and not make: it has fields of types that the library does not know.
    static func event() throws -> ApprovalRequestContent {
        var fields = CBORWriter()
        fields.array(7)
        let values: [(UInt64, [CBORValue])] = [
            (10, [.text("x")]), (63, [.array([.unsigned(1)])]), (64, [.text("shown")]),
            (65, [.text("Label"), .text("shown")]), (66, [.unsigned(7)]),
            (67, [.text("a"), .text("b"), .text("c")]), (UInt64(Int64.max), [.text("")]),
        ]
        for (type, rest) in values { CBORValue.array([.unsigned(type)] + rest).write(to: &fields) }
        var request = login
        request.kind = .event
        let (bytes, display) = (request.encoded, fields.finish())
        // The empty display data is the byte after the request id.
        let place = bytes.firstRange(of: Array("r-1".utf8))?.upperBound ?? 0
        return try ApprovalRequestContent(decoding: Array(bytes[..<place]) + display + bytes[(place + 1)...])
    }

    static let approved = ApprovalAnswerContent(
        deviceID: MessageSamples.deviceID, requestHash: MessageSamples.fill(0x53, 32), method: .password,
        decision: .approved, number: "042917", time: created.advanced(seconds: 9))
    static let rejected = ApprovalAnswerContent(
        deviceID: MessageSamples.deviceID, requestHash: MessageSamples.fill(0x53, 32), method: .possession,
        fallback: .chosenByUser, decision: .rejected(.notMe), time: created.advanced(seconds: 9))

    static let confirmation = ReceiptConfirmation(
        tenant: "default", account: "alice@master", deviceID: MessageSamples.deviceID,
        deviceKey: [2] + MessageSamples.fill(0x11, 32), requestHash: MessageSamples.fill(0x53, 32),
        answerHash: MessageSamples.fill(0x54, 32), verifiedMethod: .password, outcome: .approved,
        time: created.advanced(seconds: 10), decisionRecord: MessageSamples.fill(0x52, 16))

    static func platformSigned(_ content: some WireForm) throws -> Sign1 {
        try MessageSamples.platformSigned(content.encoded, signature: 0x84)
    }

    static func deviceSigned(_ content: some WireForm) throws -> Sign1 {
        try MessageSamples.signed(content.encoded, COSEHeader(algorithm: .esp256), signature: 0x86)
    }

    static func receipt() throws -> ReceiptParts {
        ReceiptParts(
            request: try platformSigned(login), answer: try deviceSigned(approved),
            confirmation: try SignatureList([platformSigned(confirmation)]))
    }

    /// A receipt that the library can read and not make: it has a signature of an algorithm that it does not know.
    static func receiptWithUnknownSignature() throws -> ReceiptParts {
        var unknown = CBORWriter()
        unknown.tag(18)
        unknown.array(4)
        unknown.bytes(COSEHeader(algorithm: .mlDSA65, keyID: MessageSamples.fill(0x44, 8)).encoded)
        unknown.map(0)
        unknown.bytes(confirmation.encoded)
        unknown.bytes(MessageSamples.fill(0x85, 3309))
        var list = CBORWriter()
        list.array(2)
        list.bytes(try platformSigned(confirmation).encoded)
        list.bytes(unknown.finish())
        let receipt = try receipt()
        return ReceiptParts(
            request: receipt.request, answer: receipt.answer, confirmation: try SignatureList(decoding: list.finish()))
    }

    static func all() throws -> [String: any WireForm] {
        var (extended, extendedAnswer, refused) = (login, approved, confirmation)
        extended.extensions = [7: .array([.unsigned(1)]), 8: .null]
        (extendedAnswer.number, extendedAnswer.extensions) = (nil, [1: .text("x")])
        (refused.verifiedMethod, refused.outcome, refused.decisionRecord) = (nil, .methodRefused, nil)
        let pending = [
            PendingApproval(
                id: id, kind: .transaction, created: created, expiry: created.advanced(seconds: 1), isAnnounced: true),
            PendingApproval(
                id: MessageSamples.deviceID, kind: .login, created: created, expiry: created.advanced(seconds: 300),
                isAnnounced: false),
        ]
        return [
            "ApprovalPointer ": ApprovalPointer(tenant: "default", id: id),
            "ApprovalRequestContent a login without fields": login,
            "ApprovalRequestContent a payment with every typed field": try payment(),
            "ApprovalRequestContent an event with unknown fields": try event(),
            "ApprovalRequestContent a login with joiners and emoji": try joined(),
            "ApprovalRequestContent a login with unknown extensions": extended,
            "ApprovalAnswerContent an approval with a number": approved,
            "ApprovalAnswerContent a rejection with a reason": rejected,
            "ApprovalAnswerContent an approval without a number, and unknown extensions": extendedAnswer,
            "ReceiptConfirmation approved": confirmation,
            "ReceiptConfirmation refused by the policy, without a proof and a decision record": refused,
            "ReceiptParts ": try receipt(),
            "ReceiptParts with a signature of an algorithm to come": try receiptWithUnknownSignature(),
            "RequestMessage approval.list": MessageSamples.request(.approvalList),
            "RequestMessage approval.fetch": MessageSamples.request(.approvalFetch(id: id)),
            "RequestMessage approval.answer": MessageSamples.request(.approvalAnswer(try deviceSigned(approved))),
            "RequestMessage notifications.open": MessageSamples.request(.notificationsOpen),
            "AnswerMessage approval.list": MessageSamples.answer(
                ApprovalListMessage.type, .accepted(.approvalList(pending))),
            "AnswerMessage approval.fetch": MessageSamples.answer(
                ApprovalFetchMessage.type, .accepted(.approvalFetch(try platformSigned(payment())))),
            "AnswerMessage approval.answer": MessageSamples.answer(
                ApprovalAnswerMessage.type, .accepted(.approvalAnswer(try receipt()))),
            "AnswerMessage notifications.open": MessageSamples.answer(
                NotificationsOpenMessage.type,
                .accepted(.notificationsOpen(token: MessageSamples.fill(0x55, 16), seconds: 60))),
        ]
    }
}
