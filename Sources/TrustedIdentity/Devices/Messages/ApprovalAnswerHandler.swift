internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// A verified approval answer, with the hash of its bytes.
struct SignedApprovalAnswer: Sendable {
    let content: ApprovalAnswerContent
    /// The answer as it was received, for the receipt.
    let signed: Sign1
    /// SHA-256 of ``signed``.
    let hash: [UInt8]
    /// The public key of the device or of the method that signed it, 33 bytes.
    let key: [UInt8]
}

/// The signature of an approval answer.
enum ApprovalAnswerSignature: Sendable {
    /// No key of the device has signed the answer, or it names another device.
    case missing
    /// The answer names a method that the device has not registered, or another key than the registered one has signed
    /// it: the device may have the keys of a previous registration. It may have ended its request before.
    case methodUnknown(requestHash: [UInt8], answerHash: [UInt8])
    /// The answer is signed.
    case valid(SignedApprovalAnswer)

    /// The number that the user typed; `nil` without a signed answer.
    var number: String? { if case .valid(let answer) = self { answer.content.number } else { nil } }

    /// Verifies the signature of an answer: by the method's key if the answer names an enrolled method, otherwise by
    /// the device key.
    init(of answer: Sign1, by device: DeviceRecord) {
        guard let content = try? ApprovalAnswerContent(decoding: answer.payload) else {
            self = .missing
            return
        }
        let enrolled = device.enrolled(content.method)
        let key = enrolled?.key ?? device.deviceKey
        if enrolled != nil || !content.method.isEnrollable,
            let verified = try? ApprovalAnswerContent.verified(answer, deviceKey: key, deviceID: device.id)
        {
            self = .valid(
                SignedApprovalAnswer(content: verified.message, signed: answer, hash: verified.receiptHash, key: key))
        } else if content.method.isEnrollable {
            self = .methodUnknown(
                requestHash: content.requestHash, answerHash: Array(SHA256.hash(data: answer.encoded)))
        } else {
            self = .missing
        }
    }
}

/// Decides on the answer to an approval request. The order of the checks is part of the protocol; the article "Approval
/// requests and answers" lists it.
struct ApprovalAnswerHandler: MessageHandler {
    let signature: ApprovalAnswerSignature
    /// The request that the answer names; `nil` when there is none, or it belongs to another account. For an answer of
    /// a method that is not registered, it is the request that this same answer has ended.
    let record: ApprovalRecord?
    /// The signed content; `nil` without a record.
    let content: ApprovalRequestContent?
    /// The risk state of the account, and its row.
    let risk: RiskState
    let riskRow: AccountRiskRecord?
    /// Whether the answer contains the number that the site shows; `false` if one of them is missing.
    let isNumberRight: Bool
    /// The device data, as a policy reads it.
    let deviceData: KnownDeviceData
    /// The time of the latest restore; `nil` if there was none.
    let restoredAt: Timestamp?
    /// Whether the policy names software providers.
    let acceptsSoftwareProviders: Bool

    /// Creates a handler with the rows that ``rows(for:of:in:now:)`` has read.
    init(
        _ signature: ApprovalAnswerSignature, record: ApprovalRecord?, riskRow: AccountRiskRecord?,
        isNumberRight: Bool = false, deviceData: KnownDeviceData = .none, restoredAt: Timestamp? = nil,
        acceptsSoftwareProviders: Bool = false
    ) throws {
        self.signature = signature
        self.record = record
        self.riskRow = riskRow
        self.deviceData = deviceData
        self.restoredAt = restoredAt
        self.acceptsSoftwareProviders = acceptsSoftwareProviders
        self.isNumberRight = isNumberRight
        risk = try riskRow.map { try RiskState(decoding: $0.state) } ?? RiskState()
        content = if case .valid = signature { try record?.content() } else { nil }
    }

    /// Reads the request that an answer names, and the risk state of the account.
    static func rows(
        for signature: ApprovalAnswerSignature, of device: DeviceRecord, in store: any StoreReader, now: Timestamp
    ) throws -> (record: ApprovalRecord?, riskRow: AccountRiskRecord?) {
        switch signature {
        case .missing:
            return (nil, nil)
        case .methodUnknown(let requestHash, let answerHash):
            // The platform verified the same bytes when they ended the request.
            let ended = try store.keptApproval(requestHash: requestHash, for: device, now: now)
            return (ended?.device == device.id && ended?.answerHash == answerHash ? ended : nil, nil)
        case .valid(let answer):
            return (
                try store.keptApproval(requestHash: answer.content.requestHash, for: device, now: now),
                try store.accountRisk(device.account)
            )
        }
    }

    func decide(_ request: ServedRequest) -> DeviceDecision {
        // 1. The key of the method has signed the answer, and the answer names the device. A repeated answer that has
        // ended its request gets the previous result, even if its keys have ended since.
        let answer: SignedApprovalAnswer
        switch signature {
        case .missing: return request.refuse(.malformed)
        case .methodUnknown: return record.map { repeatEnd(of: $0, request) } ?? request.refuse(.methodUnknown)
        case .valid(let signed): answer = signed
        }
        // 2. The hash names a pending request of this account, or a request that this answer has ended.
        guard let record, let content else { return request.refuse(.approvalUnknown) }
        if record.answerHash == answer.hash { return repeatEnd(of: record, request) }
        if let code = record.refusalOfEnded(at: request.now, restoredAt: restoredAt) {
            return request.refuse(code, of: record)
        }
        // 3. The answer contains the members that the request asks for.
        guard answer.content.isComplete(for: content) else { return request.refuse(.malformed) }
        // 4. The time of the answer is right, and not after the expiry.
        let distance = answer.content.time.milliseconds(since: request.now).magnitude
        guard distance <= UInt64(ChannelRequest.maximumLifetime) else { return request.refuse(.malformed) }
        guard answer.content.time < record.expiresAt else { return request.refuse(.approvalExpired) }
        // 5. The platform knows the device data if the policy reads it. An unknown hash would hide what the policy
        // refuses. The request stays, and the device sends its data in full.
        if answer.content.decision == .approved, record.deviceRules != nil, deviceData == .unknownHash {
            return request.refuse(.deviceDataUnknown)
        }
        // 6. The proof, which belongs to the method's instance.
        let instance = Instance(of: answer.content.method)
        return request.proving(instance) { row in
            let verified = row.verifiedMethod(of: instance, acceptsSoftware: acceptsSoftwareProviders)
            return end(record, content, answer, verified: verified, row, request)
        }
    }

    /// Checks the method and the number, and ends the request.
    private func end(
        _ record: ApprovalRecord, _ content: ApprovalRequestContent, _ answer: SignedApprovalAnswer,
        verified: AuthenticationMethod, _ row: DeviceRecord, _ request: ServedRequest
    ) -> DeviceDecision {
        let outcome: ApprovalOutcome
        // 7. The policy accepts the method whose secret made the proof. If possession is enough for a rejection, every
        // method is enough.
        let isAccepted =
            record.acceptedMethods.contains(verified)
            || (answer.content.decision != .approved && [verified, .possession].contains(content.rejectionMethod))
        // In the strict mode the user types a number, even for a request from before it began. In the step-up, an
        // approval takes more than possession, even for such a request. The device starts a seal, which means no site
        // could show a number.
        let isTooWeak =
            risk.isStrict(at: request.now) && content.digits == 0 && record.kind != .seal
            || (risk.isStrict(at: request.now) || risk.isStepUp(at: request.now)) && verified == .possession
        // 8. The rules on device data accept it, for every value that is not known.
        let isDeviceRefused = !acceptsDevice(record, content, verified)
        if !isAccepted || ((isTooWeak || isDeviceRefused) && answer.content.decision == .approved) {
            outcome = .methodRefused
        } else if answer.content.decision != .approved {
            outcome = .rejected
        } else if content.digits > 0, !isNumberRight {
            // 9. The answer contains the number that the site shows.
            outcome = .wrongNumber
        } else {
            outcome = .approved
        }
        let end = ApprovalEnd(
            record: record, content: content, answer: answer, outcome: outcome, verified: verified, risk: risk,
            riskRow: riskRow)
        // The result of an approval or a rejection is the receipt, which the platform signs and adds here.
        var decision = request.refuse(end.refusal ?? .approvalAnswered, row)
        if outcome == .methodRefused { decision.notice = record.refusalNotice }
        decision.event = .approvalAnswered
        // The audit log shows when the device data alone is the reason.
        decision.reason =
            outcome == .methodRefused && isAccepted && !isTooWeak ? "deviceDataRefused" : outcome.description
        decision.approvalEnd = end
        decision.changedApproval = record.id
        return decision
    }

    /// Returns whether the rules that depend on device data accept an approval of this device. Rules that cannot be
    /// read accept none.
    private func acceptsDevice(
        _ record: ApprovalRecord, _ content: ApprovalRequestContent, _ verified: AuthenticationMethod
    ) -> Bool {
        guard let encoded = record.deviceRules else { return true }
        guard let rules = try? DeviceRules(decoding: encoded) else { return false }
        return rules.accepts(verified, digits: content.digits, from: deviceData.values)
    }

    /// Returns the previous result for a repetition of the answer that has ended a request.
    private func repeatEnd(of record: ApprovalRecord, _ request: ServedRequest) -> DeviceDecision {
        if let code = ApprovalEnd.refusal(of: record.state) { return request.refuse(code, of: record) }
        guard let receipt = record.receipt.flatMap({ try? ReceiptParts(decoding: $0) }) else {
            return request.refuse(.approvalAnswered)
        }
        return request.accept(.approvalAnswer(receipt))
    }
}

extension ApprovalRecord {
    /// Compares the number that the user typed with the one that the site shows, in constant time.
    func isNumber(_ typed: String?, sealer: RowSealer) throws -> Bool {
        guard let typed, let sealed = number else { return false }
        let number = try sealer.open(
            sealed, .approvalNumber, row: id, owner: RowOwner(account: account), revision: 0)
        let bytes = Array(typed.utf8)
        return number.withBytes { ConstantTime.equal($0, bytes.span) }
    }
}
