import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport

/// A platform with two signing keys, of which the second has replaced the first, and a device of alice.
struct ApprovalFixture {
    static let created = Timestamp(millisecondsSinceEpoch: 1_790_000_000_000)
    /// The time of the replacement: long before ``created``, so that no tolerance reaches it.
    private static let rotation = created.millisecondsSinceEpoch - 100 * KeyStatement.tolerance

    let oldKey: SigningKeyPair
    let key: SigningKeyPair
    let stranger: SigningKeyPair
    let statement: KeyStatement
    let published: PublishedKeys
    let deviceKey: P256.Signing.PrivateKey
    let device: DeviceAddress

    init() throws {
        oldKey = try SigningKeyPair(privateRepresentation: SeededRandom(1).secret(32))
        key = try SigningKeyPair(privateRepresentation: SeededRandom(2).secret(32))
        stranger = try SigningKeyPair(privateRepresentation: SeededRandom(3).secret(32))
        let start = Self.rotation - 1
        let first = KeyStatement.first([StatedKey(oldKey, from: start)], at: start)
        statement = first.next(
            [StatedKey(oldKey, from: start, until: Self.rotation), StatedKey(key, from: Self.rotation)],
            at: Self.rotation)
        published = try PublishedKeys(
            statements: [first.signed(with: [oldKey]), statement.signed(with: [oldKey])],
            fingerprint: statement.fingerprint)
        deviceKey = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
        device = DeviceAddress(
            tenant: "default", account: try AccountName(userID: "alice", domain: "master"),
            id: [UInt8](repeating: 0x33, count: 16))
    }

    var publicDeviceKey: [UInt8] { [UInt8](deviceKey.publicKey.compressedRepresentation) }

    /// A payment with four fields, label and value of 16 ASCII characters each, and ids of 36 characters. The principal
    /// has an id of 16 characters, as an API key, and a name of 12.
    func payment() throws -> ApprovalRequestContent {
        let text = String(repeating: "x", count: 16)
        return ApprovalRequestContent(
            tenant: device.tenant, account: device.account.text, id: [UInt8](repeating: 0x51, count: 16),
            kind: .transaction, sessionID: String(repeating: "s", count: 36),
            requestID: String(repeating: "r", count: 36),
            display: try DisplayData([DisplayField](repeating: .field(label: text, value: text), count: 4)),
            approvalMethod: .password, rejectionMethod: .possession, digits: 6, created: Self.created,
            expiry: Self.created.advanced(seconds: 120), decisionRecord: [UInt8](repeating: 0x52, count: 16),
            principal: try ApprovalPrincipal(id: "0123456789abcdef", name: "Example Shop"))
    }

    func approval(of request: Sign1) -> ApprovalAnswerContent {
        ApprovalAnswerContent(
            deviceID: device.id, requestHash: request.digest, method: .password, decision: .approved, number: "042917",
            time: Self.created.advanced(seconds: 9))
    }

    func signed(_ answer: ApprovalAnswerContent, by key: P256.Signing.PrivateKey? = nil) async throws -> Sign1 {
        try await answer.signed { bytes in [UInt8](try (key ?? deviceKey).signature(for: bytes).rawRepresentation) }
    }

    func confirmation(of request: Sign1, _ answer: Sign1) -> ReceiptConfirmation {
        ReceiptConfirmation(
            tenant: device.tenant, account: device.account.text, deviceID: device.id, deviceKey: publicDeviceKey,
            requestHash: request.digest, answerHash: answer.digest, verifiedMethod: .password, outcome: .approved,
            time: Self.created.advanced(seconds: 10), decisionRecord: [UInt8](repeating: 0x52, count: 16))
    }

    /// Makes a receipt whose hashes and signatures are right, with changed contents.
    func receipt(
        request changeRequest: (inout ApprovalRequestContent) throws -> Void = { _ in },
        answer changeAnswer: (inout ApprovalAnswerContent) -> Void = { _ in },
        confirmation changeConfirmation: (inout ReceiptConfirmation) -> Void = { _ in }
    ) async throws -> Receipt {
        var content = try payment()
        try changeRequest(&content)
        let request = try content.signed(with: key)
        var approval = approval(of: request)
        changeAnswer(&approval)
        let answer = try await signed(approval)
        var confirmation = confirmation(of: request, answer)
        changeConfirmation(&confirmation)
        return Receipt(
            ReceiptParts(request: request, answer: answer, confirmation: try confirmation.signed(with: [key])))
    }
}
