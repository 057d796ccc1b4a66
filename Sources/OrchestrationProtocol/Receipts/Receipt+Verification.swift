internal import Primitives

extension Receipt {
    /// Verifies the receipt. The numbers are the step numbers in the article <doc:Receipts>.
    ///
    /// 1. Every part can be decoded.
    /// 2. The platform has signed the confirmation, with keys that were in use at its time.
    /// 3. The confirmation is about this request and this answer.
    /// 4. The platform has signed the approval request, with a key that was in use at its creation.
    /// 5. The device has signed the answer.
    /// 6. All three are about the same account, device, request and decision record.
    /// 7. The outcome agrees with the answer, and the answer with the request.
    /// 8. The decision was made while the request could be answered, within five minutes of the answer.
    ///
    /// - Parameter keys: The published keys of the platform.
    /// - Returns: What the receipt states.
    /// - Throws: ``ReceiptError``, whose code names the failed step.
    public func verify(with keys: PublishedKeys) throws(ReceiptError) -> VerifiedReceipt {
        try verified(by: keys)
    }

    /// Verifies the receipt with the keys of one statement or of all statements.
    package func verify(with keys: some SigningKeySource) throws(ReceiptError) -> VerifiedReceipt {
        try verified(by: keys)
    }

    private func verified(by keys: some SigningKeySource) throws(ReceiptError) -> VerifiedReceipt {
        let content = try ReceiptContent(parts)
        let unchecked: [COSEAlgorithm]
        do throws(SecureChannelError) {
            unchecked = try keys.verify(
                parts.confirmation, externalAAD: ReceiptConfirmation.externalAAD, at: content.confirmation.time)
        } catch {
            throw ReceiptError(ofConfirmation: error)
        }
        guard content.confirmation.requestHash == parts.request.digest else { throw ReceiptError(.otherRequest) }
        guard content.confirmation.answerHash == parts.answer.digest else { throw ReceiptError(.otherAnswer) }
        do throws(SecureChannelError) {
            try keys.verify(
                parts.request, externalAAD: ApprovalRequestContent.externalAAD, at: content.request.created)
        } catch {
            throw ReceiptError(ofRequest: error)
        }
        do throws(SecureChannelError) {
            try parts.answer.verifyAnswer(deviceKey: content.confirmation.deviceKey)
        } catch {
            throw ReceiptError(.answerNotAuthentic, underlying: error)
        }
        try content.requireAgreement(requestHash: parts.request.digest)
        try content.requireOutcome()
        try content.requireTimes()
        return VerifiedReceipt(content, uncheckedAlgorithms: unchecked)
    }
}

extension ReceiptConfirmation {
    /// Signs the confirmation.
    ///
    /// - Parameter keys: The signing keys of the platform that are in use at ``time``, at least one.
    package func signed(with keys: [SigningKeyPair]) throws -> SignatureList {
        let payload = encoded
        return try SignatureList(keys.map { try $0.sign(payload, externalAAD: Self.externalAAD) })
    }
}

/// The decoded parts of a receipt.
struct ReceiptContent {
    let request: ApprovalRequestContent
    let answer: ApprovalAnswerContent
    let confirmation: ReceiptConfirmation

    init(_ parts: ReceiptParts) throws(ReceiptError) {
        do throws(WireError) {
            request = try ApprovalRequestContent(decoding: parts.request.payload)
            answer = try ApprovalAnswerContent(decoding: parts.answer.payload)
            confirmation = try ReceiptConfirmation(decoding: parts.confirmation.payload)
        } catch {
            throw ReceiptError(malformed: error)
        }
    }

    /// Step 6. Texts are compared as bytes: Swift calls two spellings of one text equal.
    func requireAgreement(requestHash: [UInt8]) throws(ReceiptError) {
        guard request.tenant.utf8.elementsEqual(confirmation.tenant.utf8),
            request.account.utf8.elementsEqual(confirmation.account.utf8)
        else { throw ReceiptError(.otherAccount) }
        guard answer.deviceID == confirmation.deviceID else { throw ReceiptError(.otherDevice) }
        guard answer.requestHash == requestHash else { throw ReceiptError(.otherApproval) }
        guard request.decisionRecord == confirmation.decisionRecord else { throw ReceiptError(.otherDecisionRecord) }
    }

    /// Step 7.
    func requireOutcome() throws(ReceiptError) {
        guard answer.isComplete(for: request) else { throw ReceiptError(.incompleteAnswer) }
        let agrees =
            switch (confirmation.outcome, answer.decision) {
            case (.approved, .approved), (.rejected, .rejected), (.methodRefused, _): true
            case (.wrongNumber, .approved): answer.number != nil
            case (.approved, .rejected), (.rejected, .approved), (.wrongNumber, .rejected): false
            }
        guard agrees else { throw ReceiptError(.wrongOutcome) }
        guard let verified = confirmation.verifiedMethod else {
            guard ![.approved, .wrongNumber].contains(confirmation.outcome) else { throw ReceiptError(.wrongMethod) }
            return
        }
        // If the platform has no reason to trust a device's method, it treats the method as possession.
        let isPossession = verified == .possession && answer.method.isEnrollable
        guard verified == answer.method || isPossession else { throw ReceiptError(.wrongMethod) }
    }

    /// Step 8.
    func requireTimes() throws(ReceiptError) {
        let time = confirmation.time
        guard time >= request.created, time <= request.expiry,
            (-Self.tolerance...Self.tolerance).contains(time.milliseconds(since: answer.time))
        else { throw ReceiptError(.wrongTime) }
    }

    /// The milliseconds by which the clocks of a device and the platform may differ, as in every message.
    private static let tolerance: Int64 = 300_000
}

extension ReceiptError {
    fileprivate init(ofConfirmation error: SecureChannelError) {
        let code: Code =
            switch error.code {
            case .wrongKey: .confirmationKeyUnknown
            case .keyNotValid: .confirmationKeyNotValid
            default: .confirmationNotAuthentic
            }
        self.init(code, underlying: error)
    }

    fileprivate init(ofRequest error: SecureChannelError) {
        let code: Code =
            switch error.code {
            case .wrongKey: .requestKeyUnknown
            case .keyNotValid: .requestKeyNotValid
            default: .requestNotAuthentic
            }
        self.init(code, underlying: error)
    }
}
