internal import OrchestrationProtocol
internal import Primitives

/// What the flow of an approval request sends to the platform, and keeps of its answer.
struct ApprovalExchange: Sendable {
    let id: ApprovalID
    let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    /// Asks for the request as a user.
    func fetch(of account: AccountName) async throws -> ChannelReply {
        let id = id.bytes
        return try await ChannelSession(account: account, orchestrator: orchestrator).exchange { record in
            try record.requireActive()
            return .approvalFetch(id: id)
        }
    }

    /// Makes the answer durable before it is sent.
    func keep(
        _ signed: Sign1, by methodKey: [UInt8]?, to approval: OpenApproval, _ key: any DeviceKey
    ) async throws -> UserRecord {
        let pending = PendingAnswer(
            id: id.bytes, expiry: approval.content.expiry, answer: signed.encoded, methodKey: methodKey)
        let (deviceID, now) = (approval.deviceID, environment.time.now())
        return try await environment.vault.update(approval.account, expecting: key) { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            record.keep(pending, at: ClockOffset(milliseconds: record.clockOffset).platformTime(at: now))
            return record
        }.result
    }

    /// Sends the answer of an earlier run again, for its receipt.
    ///
    /// The platform recognizes the answer that has ended the request, and needs no proof of the password for it. So the
    /// user is not asked, and the proof is that of possession.
    func collectReceipt(of answer: Sign1, _ record: UserRecord) async throws -> [FlowEvent] {
        let deviceID = record.deviceID
        let methodKey = record.pendingAnswer(to: id.bytes)?.methodKey
        let key = try await environment.vault.deviceKey(record.account)
        let reply = try await ChannelSession(account: record.account, orchestrator: orchestrator).exchange { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            return .approvalAnswer(answer)
        } proof: { record in
            ChannelProof(possessionOf: record)
        }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted(let acceptance):
            return try await succeed(acceptance, reply, answer, methodKey ?? key.publicKey, warnings)
        case .refused(let refusal):
            if !refusal.keepsAnswer { try await dropAnswer(record.account, deviceID) }
            return warnings + refusal.end
        }
    }

    /// Verifies the receipt, and removes the answer from the store.
    ///
    /// - Returns: The last events of the flow.
    func succeed(
        _ acceptance: ChannelReply.Acceptance, _ reply: ChannelReply, _ signed: Sign1, _ publicKey: [UInt8],
        _ warnings: [FlowEvent]
    ) async throws -> [FlowEvent] {
        guard let parts = acceptance.body.answer(to: ApprovalAnswerMessage.self)?.receipt else {
            throw OrchestrationError(.invalidAnswer)
        }
        let record = reply.record
        let verified = try await verify(parts, signed, record, publicKey)
        try await dropAnswer(record.account, record.deviceID)
        let step = FlowEvent.stepCompleted(FlowStep(kind: .approval, number: 2, total: 2, command: reply.command))
        let all = warnings + verified.warnings.map(FlowEvent.warning)
        return [step] + all + [.succeeded(.approvalAnswered(verified.approval))]
    }

    /// Verifies a receipt with the latest statement of the platform's keys, or with all statements where that one does
    /// not list the key: the keys were replaced several times since.
    private func verify(
        _ parts: ReceiptParts, _ signed: Sign1, _ record: UserRecord, _ publicKey: [UInt8]
    ) async throws -> (approval: AnsweredApproval, warnings: [Warning]) {
        do {
            let approval = try AnsweredApproval(
                parts, to: signed, id: id, record: record, deviceKey: publicKey, keys: record.platformKeys)
            return (approval, [])
        } catch {
            guard error.isAboutUnknownKey else { throw error }
        }
        let session = ChannelSession(account: record.account, orchestrator: orchestrator)
        let (keys, warnings) = try await session.publishedKeys()
        let approval = try AnsweredApproval(
            parts, to: signed, id: id, record: record, deviceKey: publicKey, keys: keys)
        return (approval, warnings)
    }

    /// Removes the answer of a device from the store.
    func dropAnswer(_ account: AccountName, _ deviceID: [UInt8]) async throws {
        let id = id.bytes
        do {
            try await environment.vault.update(account) { record in
                if record.deviceID == deviceID { record.dropAnswer(to: id) }
            }
        } catch let error as OrchestrationError where error.code == .userUnknown {
            // The user was deleted meanwhile, and the answer with it.
        }
    }
}

extension OrchestrationError {
    /// Whether the latest statement does not list a key of the platform that has signed a receipt.
    fileprivate var isAboutUnknownKey: Bool {
        guard let error = underlying as? ReceiptError else { return false }
        return [.confirmationKeyUnknown, .requestKeyUnknown].contains(error.code)
    }
}
