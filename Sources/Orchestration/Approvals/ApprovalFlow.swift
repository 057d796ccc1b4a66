internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of a pointer to an approval request.
///
/// The order is: fetch, verify, show, decide, authenticate, sign, store, send, verify the receipt. Nothing is shown
/// before the signature of the platform is verified, and nothing is sent before the signed answer is durable.
final class ApprovalFlow: RunnableFlow, StepFlow {
    /// The request to open, and the user where it is known.
    struct Parameters: Sendable {
        let id: ApprovalID
        /// The pointer that names the tenant; `nil` for a request of ``user``.
        var pointer: ApprovalPointer?
        /// The user to ask; `nil` for each activated user in turn.
        var user: UserName?
    }

    private enum State {
        case fetching
        case asking(OpenApproval)
        case answering(OpenApproval, ApprovalAnswer)
    }

    private static let kind = FlowKind("approval")

    private let id: ApprovalID
    private let pointer: ApprovalPointer?
    private let account: AccountName?
    private let orchestrator: Orchestrator
    private var state = State.fetching
    private var box: ApprovalDecisionBox?

    /// The reason why the input before was refused.
    private var rejection: InputRejection?
    /// The number of inputs of another form since the last one of the right form.
    private var refusedInputs = 0

    private var environment: FlowEnvironment { orchestrator.environment }
    private var exchange: ApprovalExchange { ApprovalExchange(id: id, orchestrator: orchestrator) }

    private init(_ parameters: Parameters, account: AccountName?, orchestrator: Orchestrator) {
        id = parameters.id
        pointer = parameters.pointer
        self.account = account
        self.orchestrator = orchestrator
    }

    static func make(
        _ parameters: Parameters, on orchestrator: Orchestrator
    ) throws -> (flow: ApprovalFlow, subject: FlowSubject) {
        let account = try parameters.user.map { try orchestrator.environment.account($0) }
        let flow = ApprovalFlow(parameters, account: account, orchestrator: orchestrator)
        return (flow, FlowSubject(kind, of: parameters.id.bytes))
    }

    func step() async throws -> [FlowEvent] {
        switch state {
        case .fetching: try await fetch()
        case .asking(let approval): try await decide(approval)
        case .answering(let approval, let answer): try await self.answer(approval, answer)
        }
    }

    /// Refuses a decision after the end.
    func cleanUp() async { _ = box?.close() }
}

// The approval request.
extension ApprovalFlow {
    /// Asks for the request: the given user, or each activated user in turn.
    private func fetch() async throws -> [FlowEvent] {
        var warnings: [FlowEvent] = []
        var refused: OrchestrationError?
        for account in try await candidates() {
            let reply: ChannelReply
            do {
                reply = try await exchange.fetch(of: account)
            } catch let error as OrchestrationError where isSkipped(error) {
                continue
            }
            warnings += reply.warnings.map(FlowEvent.warning)
            switch reply.result {
            case .accepted(let acceptance): return warnings + (try await open(acceptance, reply))
            case .refused(let refusal):
                let error = refusal.error
                if OrchestrationError.Code.outdated.contains(error.code) {
                    if let end = try await finish(error, reply.record) { return warnings + end }
                } else {
                    refused = refused ?? error
                }
            }
        }
        return warnings + [.ended(refused ?? OrchestrationError(.approvalUnknown))]
    }

    /// Returns the accounts to ask, those with an unfinished answer to the request first. A pointer of another tenant
    /// has none, so that nothing is sent for it.
    private func candidates() async throws -> [AccountName] {
        if let pointer, !pointer.names(tenant: environment.configuration.tenant) { return [] }
        if let account { return [account] }
        let records = try await environment.vault.contents().records.map(\.record).filter { $0.state == .active }
        let (first, others) = (
            records.filter { $0.pendingAnswer(to: id.bytes) != nil },
            records.filter { $0.pendingAnswer(to: id.bytes) == nil }
        )
        return (first + others).map(\.account)
    }

    /// Whether a user of the list was locked or deleted meanwhile, so that the next one is asked.
    private func isSkipped(_ error: OrchestrationError) -> Bool {
        account == nil && [.userLocked, .userUnknown, .notActivated].contains(error.code)
    }

    /// Ends the flow of a request that does not wait any more.
    ///
    /// - Returns: `nil` when this user has no such request, and another one is asked.
    private func finish(_ error: OrchestrationError, _ record: UserRecord) async throws -> [FlowEvent]? {
        let pending = record.pendingAnswer(to: id.bytes)
        // It may have been this device that answered, before its app was killed.
        if error.code == .approvalAnswered, let pending, let answer = try? Sign1(decoding: pending.answer) {
            return try await exchange.collectReceipt(of: answer, record)
        }
        if pending != nil { try await exchange.dropAnswer(record.account, record.deviceID) }
        return error.code == .approvalUnknown ? nil : [.outdated(error)]
    }

    /// Verifies the request and shows it, or goes on with the answer of an earlier run.
    private func open(_ acceptance: ChannelReply.Acceptance, _ reply: ChannelReply) async throws -> [FlowEvent] {
        let approval = try OpenApproval(acceptance, reply, id: id, environment: environment)
        let record = reply.record
        let step = FlowEvent.stepCompleted(FlowStep(kind: .approval, number: 1, total: 2, command: reply.command))
        if let pending = record.pendingAnswer(to: id.bytes) {
            if let answer = ApprovalAnswer(repeating: pending, to: approval) {
                // The user has decided before the app was killed.
                state = .answering(approval, answer)
                return [step]
            }
            try await exchange.dropAnswer(record.account, record.deviceID)
        }
        box = approval.request.box
        state = .asking(approval)
        environment.logger.debug("approval request opened", metadata: ["approval.kind": "\(approval.content.kind)"])
        return [step, .approvalRequired(approval.request)]
    }
}

// The decision and the answer.
extension ApprovalFlow {
    private func decide(_ approval: OpenApproval) async throws -> [FlowEvent] {
        guard let choice = approval.request.box.close() else {
            return [approval.request.timeLeft > .zero ? .aborted(.undecided) : .outdated(.approvalExpired)]
        }
        let requested =
            switch choice.decision {
            case .approved: approval.content.approvalMethod
            case .rejected: approval.content.rejectionMethod
            }
        let plan = try await plan(for: choice.method ?? requested, of: approval)
        state = .answering(approval, ApprovalAnswer(choice, by: plan, requested: requested))
        return plan.fallback == nil ? [] : [.warning(Warning(.fellBackToPassword))]
    }

    private func plan(
        for method: AuthenticationMethod, of approval: OpenApproval
    ) async throws -> AuthenticationPlan {
        guard method.isEnrollable else { return .activated(method) }
        guard let record = try await environment.vault.record(approval.account),
            record.deviceID == approval.deviceID
        else { throw OrchestrationError(.notActivated) }
        return try await environment.plan(for: method, of: record)
    }

    /// Goes on with the password in place of an enrolled method. The next answer is a new one, which states the reason.
    private func fallBack(
        _ approval: OpenApproval, _ answer: ApprovalAnswer, _ reason: FallbackReason
    ) -> [FlowEvent] {
        state = .answering(approval, answer.fallingBack(reason))
        return [.warning(Warning(.fellBackToPassword))]
    }

    /// Asks the user for the check of an enrolled method.
    ///
    /// - Returns: The keys; or the events of a step that ends without an answer.
    private func check(
        _ approval: OpenApproval, _ answer: ApprovalAnswer
    ) async throws -> (opened: OpenedMethod?, events: [FlowEvent]) {
        let plan = try await plan(for: answer.method, of: approval)
        guard let keys = plan.keys else {
            return (nil, fallBack(approval, answer, plan.fallback ?? .notAvailable))
        }
        let check = try await environment.check(
            keys, of: approval.account, displayData: approval.request.text,
            within: answer.signed == nil ? approval.request.timeLeft : nil)
        if case .opened(let opened) = check { return (OpenedMethod(opened: opened, keys: keys), []) }
        return (nil, try await end(check, of: keys, approval, answer))
    }

    /// Goes on after a check that has released no keys, or whose keys do not sign.
    private func end(
        _ check: MethodCheck, of keys: AuthenticationPlan.MethodKeys, _ approval: OpenApproval,
        _ answer: ApprovalAnswer
    ) async throws -> [FlowEvent] {
        switch check {
        case .fallsBack(let reason): return fallBack(approval, answer, reason)
        case .notLiving: return [.warning(Warning(.livenessFailed))] + fallBack(approval, answer, .failed)
        case .invalidated:
            // The next step falls back, or asks for the keys of another enrollment.
            try await orchestrator.dropInvalidated(keys, of: approval.account, deviceID: approval.deviceID)
            return []
        case .aborted:
            // The user cancels the decision, also that of an earlier run.
            try await exchange.dropAnswer(approval.account, approval.deviceID)
            return [.aborted(.canceled)]
        case .expired: return [.outdated(.approvalExpired)]
        case .opened: throw OrchestrationError(.internal)
        }
    }

    /// Authenticates the user, signs, stores and sends the answer.
    private func answer(_ approval: OpenApproval, _ answer: ApprovalAnswer) async throws -> [FlowEvent] {
        guard approval.request.timeLeft > .zero || answer.signed != nil else { return [.outdated(.approvalExpired)] }
        var password: SecretBox<Password>?
        var generation: UInt64?
        var opened: OpenedMethod?
        if answer.method.isEnrollable {
            let result = try await check(approval, answer)
            guard let keys = result.opened else { return result.events }
            opened = keys
        } else if answer.method == .password {
            generation = try await environment.vault.record(approval.account)?.generation
            password = try await environment.password(
                of: approval.account, for: .authenticate, rejection: rejection,
                remainingTries: rejection?.remainingTries, policy: approval.policy,
                displayData: approval.request.text)
            guard let password else {
                // The user cancels the decision, also that of an earlier run.
                try await exchange.dropAnswer(approval.account, approval.deviceID)
                return [.aborted(.canceled)]
            }
            if let fault = password.secret.formFault(under: approval.policy) { return refuse(fault, approval.policy) }
            refusedInputs = 0
        }
        guard let (record, key) = try await environment.vault.open(approval.account),
            record.deviceID == approval.deviceID
        else { throw OrchestrationError(.notActivated) }
        try record.requireActive()
        // A change of the password during the prompt: the input may be the earlier one.
        guard generation == nil || generation == record.generation else { throw OrchestrationError(.passwordChanged) }
        // Another enrollment during the check: the platform may not know the keys any more. The next step plans anew.
        guard opened == nil || record.enrolledKey(of: answer.method) == opened?.keys.key else { return [] }
        let secret = try await password?.passwordInstance(of: record, key: key)
        let signed: Sign1
        let methodKey: [UInt8]?
        if let earlier = answer.signed {
            signed = earlier
            methodKey = answer.methodKey
        } else if let opened {
            let content = await content(approval, answer, record)
            do {
                // A provider that hangs does not keep the flow beyond the expiry.
                let made = try await ProviderCall.run(within: approval.request.timeLeft, on: environment.time) {
                    try await content.signed { try await opened.opened.sign($0) }
                }
                guard let made else { return [.outdated(.approvalExpired)] }
                signed = made
                methodKey = opened.keys.key.publicKey
            } catch let error as UserAuthenticationError {
                return try await end(MethodCheck(error), of: opened.keys, approval, answer)
            }
        } else {
            signed = try await content(approval, answer, record).signed { try await key.sign($0) }
            methodKey = nil
        }
        let stored = try await exchange.keep(signed, by: methodKey, to: approval, key)
        // The store may have a later generation by now, which the secret does not belong to.
        guard secret == nil || stored.generation == record.generation else {
            throw OrchestrationError(.passwordChanged)
        }
        let deviceID = approval.deviceID
        box?.noteAnswer(isSent: true)
        let reply = try await ChannelSession(account: approval.account, orchestrator: orchestrator).exchange(
            with: (stored, key)
        ) { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            return .approvalAnswer(signed)
        } proof: { [opened] record in
            if let opened {
                return ChannelProof(
                    opened.keys.key.method, secret: opened.opened.secret, generation: record.generation)
            }
            return secret.map { ChannelProof(password: $0, generation: stored.generation) }
                ?? ChannelProof(possessionOf: record)
        }
        return try await conclude(reply, signed, by: methodKey ?? key.publicKey, approval, answer, opened)
    }

    /// Refuses an input that cannot be the password. It costs no try. The provider is asked again, at most as often as
    /// the policy allows tries.
    private func refuse(_ fault: PasswordFault, _ policy: PINPolicy) -> [FlowEvent] {
        refusedInputs += 1
        rejection = .unsuitable(fault)
        let event = FlowEvent.inputRejected(.unsuitable(fault))
        return refusedInputs < policy.tries ? [event] : [event, .aborted(.inputRejectedTooOften)]
    }

    /// Returns the content of an answer, with the present time.
    private func content(
        _ approval: OpenApproval, _ answer: ApprovalAnswer, _ record: UserRecord
    ) async -> ApprovalAnswerContent {
        let clock = await orchestrator.clockOffset(of: approval.account, stored: record.clockOffset)
        return ApprovalAnswerContent(
            deviceID: approval.deviceID, requestHash: approval.digest, method: answer.method,
            fallback: answer.fallback, decision: answer.choice.decision, number: answer.choice.number,
            time: clock.requestTime(at: environment.time.now()))
    }

    private func conclude(
        _ reply: ChannelReply, _ signed: Sign1, by publicKey: [UInt8], _ approval: OpenApproval,
        _ answer: ApprovalAnswer, _ opened: OpenedMethod?
    ) async throws -> [FlowEvent] {
        let warnings = reply.warnings.map(FlowEvent.warning)
        if case .refused(let refusal) = reply.result { box?.noteAnswer(isSent: refusal.keepsAnswer) }
        switch reply.result {
        case .accepted(let acceptance):
            return try await exchange.succeed(acceptance, reply, signed, publicKey, warnings)
        case .refused(let refusal) where refusal.code == .wrongPassword && refusal.remainingTries == 0:
            // With the last try the platform has locked the device.
            try await exchange.dropAnswer(approval.account, approval.deviceID)
            return warnings + [.aborted(OrchestrationError(.userLocked, refusal))]
        case .refused(let refusal) where refusal.code == .wrongPassword && answer.method == .password:
            // The request is still pending. The next answer is a new one, with a later time.
            var next = answer
            next.signed = nil
            rejection = .wrongPassword(remainingTries: refusal.remainingTries)
            state = .answering(approval, next)
            return warnings + [.inputRejected(.wrongPassword(remainingTries: refusal.remainingTries))]
        case .refused(let refusal) where refusal.code == .methodUnknown && answer.method.isEnrollable:
            // The request is still pending. An answer of an earlier run may be signed by the keys of an earlier
            // enrollment.
            if answer.signed != nil {
                var next = answer
                next.signed = nil
                state = .answering(approval, next)
                return warnings
            }
            // The platform was restored, or has ended the registration of these keys. Those of a later enrollment stay,
            // and the next step asks for them.
            if let keys = opened?.keys {
                try await orchestrator.drop(keys, of: approval.account, deviceID: approval.deviceID)
            }
            return warnings
        case .refused(let refusal):
            if !refusal.keepsAnswer {
                try await exchange.dropAnswer(approval.account, approval.deviceID)
            }
            return warnings + refusal.end
        }
    }
}

extension ChannelRefusal {
    /// Whether a device that has to wait may still send the answer.
    var keepsAnswer: Bool { [.rateLimited, .suspended].contains(code) }
}

/// The keys of an enrolled method, released by a check of the user.
private struct OpenedMethod: Sendable {
    let opened: OpenedMethodKey
    let keys: AuthenticationPlan.MethodKeys
}

extension SecretBox<Password> {
    /// Returns the secret of the password's instance as this password unwraps it.
    fileprivate func passwordInstance(of record: UserRecord, key: any DeviceKey) async throws -> SymmetricKey {
        try await record.passwordInstance(secret, key: key)
    }
}
