internal import OrchestrationProtocol
internal import Primitives

/// An approval request that was fetched and verified, with the user who is asked.
struct OpenApproval: Sendable {
    let request: ApprovalRequest
    let content: ApprovalRequestContent
    /// The SHA-256 of the request as it was received.
    let digest: [UInt8]
    let deviceID: [UInt8]
    let policy: PINPolicy

    var account: AccountName { request.account }

    /// Verifies the request in an answer of the platform.
    ///
    /// - Throws: `invalidAnswer`; `cannotDisplay` for a request with a field that this version cannot show.
    init(
        _ acceptance: ChannelReply.Acceptance, _ reply: ChannelReply, id: ApprovalID, environment: FlowEnvironment
    ) throws {
        guard let signed = acceptance.body.answer(to: ApprovalFetchMessage.self)?.request else {
            throw OrchestrationError(.invalidAnswer)
        }
        let record = reply.record
        let content: ApprovalRequestContent
        do throws(SecureChannelError) {
            content = try ApprovalRequestContent.verified(
                signed, keys: record.platformKeys, device: record.address, id: id.bytes
            ).message
        } catch {
            throw OrchestrationError(error.code == .cannotDisplay ? .cannotDisplay : .invalidAnswer, underlying: error)
        }
        let now = acceptance.offset.requestTime(at: environment.time.now())
        let clock = ExpiryClock(expiry: content.expiry, platformTime: now, time: environment.time)
        request = ApprovalRequest(
            content, account: record.account, texts: environment.configuration.texts, clock: clock)
        self.content = content
        digest = signed.digest
        deviceID = record.deviceID
        policy = record.pinPolicy
    }
}

/// The answer to a decision.
struct ApprovalAnswer: Sendable {
    let choice: ApprovalChoice
    let method: AuthenticationMethod
    let fallback: FallbackReason?
    /// The signed answer of an earlier run.
    var signed: Sign1?
    /// The public key of the enrolled method that has signed it; `nil` where the device key has.
    var methodKey: [UInt8]?

    /// Creates an answer that is not signed yet.
    ///
    /// - Parameter requested: The method that the request asks for.
    init(_ choice: ApprovalChoice, by plan: AuthenticationPlan, requested: AuthenticationMethod) {
        self.choice = choice
        method = plan.method
        fallback = plan.fallback ?? (plan.method == requested ? nil : .chosenByUser)
    }

    /// Returns the answer by the password, in place of an enrolled method.
    func fallingBack(_ reason: FallbackReason) -> ApprovalAnswer {
        ApprovalAnswer(choice, by: .password(because: reason), requested: method)
    }

    /// Creates the repetition of an answer of an earlier run.
    ///
    /// - Returns: `nil` for an answer to other bytes, or of another device.
    init?(repeating pending: PendingAnswer, to approval: OpenApproval) {
        guard let signed = try? Sign1(decoding: pending.answer),
            let content = try? ApprovalAnswerContent(decoding: signed.payload),
            content.requestHash == approval.digest, content.deviceID == approval.deviceID
        else { return nil }
        choice = ApprovalChoice(decision: content.decision, number: content.number, method: content.method)
        method = content.method
        fallback = content.fallback
        self.signed = signed
        methodKey = pending.methodKey
    }
}
