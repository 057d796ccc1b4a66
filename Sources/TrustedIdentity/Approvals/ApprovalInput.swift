internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

/// An approval answer whose signature was verified, with the hash of its bytes.
struct SignedApprovalAnswer: Sendable {
    let content: ApprovalAnswerContent
    /// The answer as it was received, for the receipt.
    let signed: Sign1
    /// SHA-256 of ``signed``.
    let hash: [UInt8]
    /// The public key that signed it: that of the device or of the method, 33 bytes.
    let key: [UInt8]
}

/// The signature of an approval answer.
enum ApprovalAnswerSignature: Sendable {
    /// The message has no answer, or one that no key of the device has signed, or that names another device.
    case missing
    /// The answer names a method that the device has not registered, or another key than the registered one has signed
    /// it: the device may have the keys of an earlier registration. It may have ended its request before.
    case methodUnknown(requestHash: [UInt8], answerHash: [UInt8])
    /// The answer is signed.
    case valid(SignedApprovalAnswer)
}

/// The rows for a request of a device about approvals, besides the row of the device, in one consistent state of the
/// store.
struct ApprovalInput: Sendable {
    /// The answer of an `approval.answer`; `nil` for another message, and when the device has not signed it.
    let answer: SignedApprovalAnswer?
    /// Whether the answer names a method that the device has not registered.
    let isMethodUnknown: Bool
    /// The request that the message names; `nil` when there is none, or it belongs to another account. Of an answer of
    /// a method that is not registered, it is the request that this very answer has ended.
    let record: ApprovalRecord?
    /// The signed content; `nil` without a record.
    let content: ApprovalRequestContent?
    /// The requests of the account that wait, the oldest first.
    let pending: [ApprovalRecord]
    /// The risk state of the account.
    let risk: RiskState
    /// Its row.
    let riskRow: AccountRiskRecord?
    /// Whether the number of the answer is that of the site; `false` where one of them is missing.
    let isNumberRight: Bool

    /// The input of a message that is not about approvals.
    static let none = ApprovalInput(isMethodUnknown: false, ended: nil)

    private init(isMethodUnknown: Bool, ended: ApprovalRecord?) {
        answer = nil
        self.isMethodUnknown = isMethodUnknown
        record = ended
        content = nil
        pending = []
        risk = RiskState()
        riskRow = nil
        isNumberRight = false
    }

    private init(_ rows: Rows, answer: SignedApprovalAnswer?, account: String, sealer: RowSealer) throws {
        // The request of another account is treated as one that does not exist.
        let record = rows.record.flatMap { $0.account == account ? $0 : nil }
        self.answer = answer
        isMethodUnknown = false
        self.record = record
        content = try record?.content()
        pending = rows.pending
        riskRow = rows.riskRow
        risk = try rows.riskRow.map { try RiskState(decoding: $0.state) } ?? RiskState()
        isNumberRight = try Self.isEqual(answer?.content.number, to: record, sealer: sealer)
    }

    /// Compares the number that the user typed with the one that the site shows, in constant time.
    private static func isEqual(_ typed: String?, to record: ApprovalRecord?, sealer: RowSealer) throws -> Bool {
        guard let typed, let record, let sealed = record.number else { return false }
        let number = try sealer.open(
            sealed, .approvalNumber, row: record.id, owner: RowOwner(account: record.account), revision: 0)
        let bytes = Array(typed.utf8)
        return number.withBytes { ConstantTime.equal($0, bytes.span) }
    }

    /// The rows of an input.
    private struct Rows: Sendable {
        var record: ApprovalRecord?
        var pending: [ApprovalRecord] = []
        var riskRow: AccountRiskRecord?
    }
}

extension ApprovalInput {
    /// Reads the input of a verified request.
    ///
    /// - Parameters:
    ///   - signature: The signature of the answer of an `approval.answer`.
    ///   - device: The id of the device.
    ///   - account: The account of the device.
    static func read(
        for body: RequestBody, answer signature: ApprovalAnswerSignature, of device: [UInt8], account: String,
        from store: AuthenticatedStore, sealer: RowSealer, now: Timestamp
    ) async throws -> ApprovalInput {
        switch body {
        case .approvalList:
            let rows = try await store.read { Rows(pending: try $0.waitingApprovals(of: account, now: now)) }
            return try ApprovalInput(rows, answer: nil, account: account, sealer: sealer)
        case .approvalFetch(let message):
            let rows = try await store.read { store in
                Rows(record: try ifUnaltered { try store.approval(message.id) }?.kept(at: now))
            }
            return try ApprovalInput(rows, answer: nil, account: account, sealer: sealer)
        case .approvalAnswer:
            let answer: SignedApprovalAnswer
            switch signature {
            case .missing: return .none
            case .methodUnknown(let request, let answer):
                // The platform has verified these very bytes when they ended the request.
                let ended = try await store.read { store in
                    try ifUnaltered { try store.approval(requestHash: request) }?.kept(at: now)
                }
                let isRepeated = ended?.device == device && ended?.answerHash == answer && ended?.account == account
                return ApprovalInput(isMethodUnknown: true, ended: isRepeated ? ended : nil)
            case .valid(let signed): answer = signed
            }
            let rows = try await store.read { store in
                Rows(
                    record: try ifUnaltered { try store.approval(requestHash: answer.content.requestHash) }?.kept(
                        at: now),
                    riskRow: try store.accountRisk(account))
            }
            return try ApprovalInput(rows, answer: answer, account: account, sealer: sealer)
        case .activationPassword, .activationComplete, .notificationsRegister, .notificationsOpen, .synchronize,
            .userDelete, .passwordChange, .passwordProve, .methodRegister, .methodRemove, .deviceData:
            return .none
        }
    }
}

extension StoreReader {
    /// Returns the requests of an account that wait for an answer, the oldest first.
    func waitingApprovals(of account: String, now: Timestamp) throws -> [ApprovalRecord] {
        try pendingApprovals(of: account).filter { $0.state(at: now) == .pending }
    }
}

extension VerifiedRequest {
    /// Verifies the signature of the approval answer in the message: by the key of the method where the answer names an
    /// enrolled one, otherwise by the device key.
    func approvalAnswer(of device: DeviceRecord) -> ApprovalAnswerSignature {
        guard case .approvalAnswer(let message) = message.body,
            let content = try? ApprovalAnswerContent(decoding: message.answer.payload)
        else { return .missing }
        let method = content.method
        let enrolled = device.enrolled(method)
        var unknown: ApprovalAnswerSignature {
            .methodUnknown(
                requestHash: content.requestHash, answerHash: Array(SHA256.hash(data: message.answer.encoded)))
        }
        guard enrolled != nil || !method.isEnrollable else { return unknown }
        let key = enrolled?.key ?? device.deviceKey
        guard
            let answer = try? ApprovalAnswerContent.verified(message.answer, deviceKey: key, deviceID: device.id)
        else { return enrolled == nil ? .missing : unknown }
        return .valid(
            SignedApprovalAnswer(
                content: answer.message, signed: message.answer, hash: answer.receiptHash, key: key))
    }
}
