internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives
internal import Synchronization

/// The flow that a pointer to an approval request starts.
///
/// The order is: fetch, verify, show, decide, authenticate, sign, store, send, verify the receipt. Nothing is shown
/// before the signature of the platform is verified, and nothing is sent before the signed answer is durable.
struct ApprovalFlow: RunnableFlow {
    /// The request to open, and the user where it is known.
    struct Parameters: Sendable {
        let id: ApprovalID
        /// The pointer that names the tenant; `nil` for a request of ``user``.
        var pointer: ApprovalPointer?
        /// The user to ask; `nil` for each activated user in turn.
        var user: UserName?
    }

    private static let kind = FlowKind("approval")

    private let id: ApprovalID
    private let pointer: ApprovalPointer?
    private let account: AccountName?
    private let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    static func make(
        _ parameters: Parameters, on orchestrator: Orchestrator
    ) throws -> (flow: ApprovalFlow, subject: FlowSubject) {
        let (id, account) = (parameters.id, try parameters.user.map { try orchestrator.environment.account($0) })
        let flow = ApprovalFlow(id: id, pointer: parameters.pointer, account: account, orchestrator: orchestrator)
        return (flow, FlowSubject(kind, of: id.bytes))
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let (opened, first) = try await fetch()
        guard let approval = opened else { return first }
        let box = approval.request.box
        // A decision after the end is refused.
        defer { _ = box.close() }
        try await events.send(first)
        guard var answer = approval.kept ?? box.close().map({ ApprovalAnswer($0, to: approval.request) }) else {
            return [.ended(OrchestrationError(approval.request.timeLeft > .zero ? .undecided : .approvalExpired))]
        }
        while true {
            do {
                var user = try await authenticate(&answer, to: approval)
                let signed = try await sign(&answer, to: approval, by: user)
                user.record = try await store(signed, by: user)
                box.noteAnswer(isSent: true)
                let reply = try await send(signed, by: user)
                if case .refused(let refusal) = reply.result {
                    box.noteAnswer(isSent: refusal.keepsAnswer)
                    try await prepareRetry(of: &answer, after: refusal, reply, by: user)
                }
                return try await end(by: reply, to: signed, of: user)
            } catch let unanswered as Unanswered {
                try await events.send(unanswered.events)
            }
        }
    }
}

// The approval request.
extension ApprovalFlow {
    /// Fetches the request for the given user, or for each activated user in turn.
    ///
    /// - Returns: The request, and the events until the decision; without a request, the last events of the flow.
    private func fetch() async throws -> (approval: OpenApproval?, events: [FlowEvent]) {
        var warnings: [FlowEvent] = []
        var refused: OrchestrationError?
        for account in try await candidates() {
            let reply: ChannelReply
            do {
                reply = try await session(account).exchange { [id] record in
                    try record.requireActive()
                    return .approvalFetch(id: id.bytes)
                }
            } catch let error as OrchestrationError
                where self.account == nil
                && [.userLocked, .cloneSuspected, .revoked, .userUnknown, .notActivated].contains(error.code)
            {
                // A user of the list was locked or deleted meanwhile.
                continue
            }
            warnings += reply.warnings.map(FlowEvent.warning)
            switch reply.result {
            case .accepted(let acceptance):
                let (approval, events) = try await open(acceptance, reply)
                return (approval, warnings + events)
            case .refused(let refusal) where OrchestrationError.Code.outdated.contains(refusal.error.code):
                if let end = try await end(by: refusal.error, reply.record) { return (nil, warnings + end) }
            case .refused(let refusal): refused = refused ?? refusal.error
            }
        }
        return (nil, warnings + [.ended(refused ?? OrchestrationError(.approvalUnknown))])
    }

    /// Returns the accounts to ask, first the accounts with an unfinished answer to the request. For a pointer of
    /// another tenant it returns none, which means that nothing is sent.
    private func candidates() async throws -> [AccountName] {
        if let pointer, !pointer.names(tenant: environment.configuration.tenant) { return [] }
        if let account { return [account] }
        let records = try await environment.vault.contents().records.map(\.record).filter { $0.state == .active }
        let first = records.filter { $0.pendingAnswer(to: id.bytes) != nil }
        return (first + records.filter { $0.pendingAnswer(to: id.bytes) == nil }).map(\.account)
    }

    /// Verifies the request and shows it, or continues with the answer of an earlier run.
    private func open(
        _ acceptance: ChannelReply.Acceptance, _ reply: ChannelReply
    ) async throws -> (approval: OpenApproval, events: [FlowEvent]) {
        let approval = try OpenApproval(acceptance, reply, id: id, environment: environment)
        let step = FlowEvent.stepCompleted(FlowStep(kind: Self.kind, number: 1, total: 2, command: reply.command))
        // The user has decided before the app was killed.
        if approval.kept != nil { return (approval, [step]) }
        if reply.record.pendingAnswer(to: id.bytes) != nil { try await dropAnswer(of: reply.record) }
        environment.logger.debug("approval request opened", metadata: ["approval.kind": "\(approval.request.kind)"])
        return (approval, [step, .approvalRequired(approval.request)])
    }

    /// Ends the flow of a request that no longer waits.
    ///
    /// - Returns: The last events; `nil` when this user has no such request, and another user is asked.
    private func end(by error: OrchestrationError, _ record: UserRecord) async throws -> [FlowEvent]? {
        let pending = record.pendingAnswer(to: id.bytes)
        // This device may have answered before its app was killed. The platform recognizes the answer that has ended
        // the request, and needs no proof of the password for it. The user is therefore not asked, and the device
        // proves possession.
        if error.code == .approvalAnswered, let pending, (try? pending.signed) != nil {
            let (record, key) = try await self.record(of: record.account, on: record.deviceID)
            let user = AuthenticatedUser(record: record, key: key, plan: .activated(.possession))
            return try await end(by: send(pending, by: user), to: pending, of: user)
        }
        if pending != nil { try await dropAnswer(of: record) }
        return error.code == .approvalUnknown ? nil : [.outdated(error)]
    }
}

// The answer.
extension ApprovalFlow {
    /// Asks the user for the input that the method of the answer needs. The record is opened before, because the write
    /// that stores the answer compares the record with this earlier state.
    private func authenticate(
        _ answer: inout ApprovalAnswer, to approval: OpenApproval
    ) async throws -> AuthenticatedUser {
        let request = approval.request
        guard request.timeLeft > .zero || answer.earlier != nil else { throw FlowEnd(.approvalExpired) }
        let (record, key) = try await self.record(of: request.account, on: approval.deviceID)
        try record.requireActive()
        let plan = try await environment.plan(for: answer.method, of: record)
        if let reason = plan.fallback { throw answer.fallBack(because: reason) }
        var user = AuthenticatedUser(record: record, key: key, plan: plan)
        if let keys = plan.keys {
            let check = try await environment.check(
                keys, of: record.account, displayData: request.text,
                within: answer.earlier == nil ? request.timeLeft : nil)
            guard case .opened(let opened) = check else { throw try await unanswered(&answer, after: check, of: user) }
            user.opened = opened
        } else if plan.method == .password {
            let password = try await environment.password(
                of: record.account, for: .authenticate, rejection: answer.inputs.rejection,
                remainingTries: answer.inputs.remainingTries, policy: record.pinPolicy, displayData: request.text)
            guard let password else { throw try await unanswered(&answer, after: .aborted, of: user) }
            // An input of another form cannot be the password. It costs no try.
            if let fault = password.secret.formFault(under: record.pinPolicy) {
                throw Unanswered(
                    events: [try answer.inputs.refuse(.unsuitable(fault), limit: record.pinPolicy.tries)])
            }
            user.passwordSecret = try await record.passwordInstance(password.secret, key: key)
        }
        return user
    }

    /// Returns the step after a check that has released no keys, or whose keys do not sign: another attempt, or the
    /// end.
    private func unanswered(
        _ answer: inout ApprovalAnswer, after check: MethodCheck, of user: AuthenticatedUser
    ) async throws -> any Error {
        switch check {
        case .fallsBack(let reason): return answer.fallBack(because: reason)
        case .notLiving: return answer.fallBack(because: .failed, [.warning(Warning(.livenessFailed))])
        case .invalidated:
            // The next attempt falls back to the password, or asks for the keys of another enrollment.
            if let keys = user.plan.keys {
                let record = user.record
                try await orchestrator.dropInvalidated(keys, of: record.account, deviceID: record.deviceID)
            }
            return Unanswered()
        case .aborted:
            // The user cancels the decision, including a decision of an earlier run.
            try await dropAnswer(of: user.record)
            return FlowEnd(.canceled)
        case .expired: return FlowEnd(.approvalExpired)
        case .opened: throw OrchestrationError(.internal)
        }
    }

    /// Signs the answer, with the keys of the method or the device key. An answer of an earlier run is signed already.
    private func sign(
        _ answer: inout ApprovalAnswer, to approval: OpenApproval, by user: AuthenticatedUser
    ) async throws -> PendingAnswer {
        if let earlier = answer.earlier { return earlier }
        let clock = await orchestrator.clockOffset(of: user.record.account, stored: user.record.clockOffset)
        let content = ApprovalAnswerContent(
            deviceID: approval.deviceID, requestHash: approval.digest, method: answer.method,
            fallback: answer.fallback, decision: answer.choice.decision, number: answer.choice.number,
            time: clock.requestTime(at: environment.time.now()))
        var signed: Sign1?
        do {
            if let opened = user.opened {
                // A provider that does not return cannot hold the flow beyond the expiry.
                signed = try await ProviderCall.run(within: approval.request.timeLeft, on: environment.time) {
                    try await content.signed { try await opened.sign($0) }
                }
            } else {
                signed = try await content.signed { try await user.key.sign($0) }
            }
        } catch let error as UserAuthenticationError where user.opened != nil {
            throw try await unanswered(&answer, after: MethodCheck(error), of: user)
        }
        guard let signed else { throw FlowEnd(.approvalExpired) }
        return PendingAnswer(
            id: id.bytes, expiry: approval.expiry, answer: signed.encoded, methodKey: user.plan.keys?.key.publicKey)
    }

    /// Makes the answer durable before it is sent, if the record still belongs to the user who has authenticated.
    private func store(_ answer: PendingAnswer, by user: AuthenticatedUser) async throws -> UserRecord {
        let now = environment.time.now()
        do {
            return try await environment.vault.update(user.record.account, expecting: user.key) { record in
                guard record.deviceID == user.record.deviceID else { throw OrchestrationError(.notActivated) }
                try record.requireActive()
                // After a change of the password during the prompt, the input may be the earlier one.
                guard user.passwordSecret == nil || record.generation == user.record.generation else {
                    throw OrchestrationError(.passwordChanged)
                }
                // After another enrollment during the check, the platform may no longer know the keys. The next attempt
                // makes a new plan.
                guard user.plan.isPresent(in: record) else { throw Unanswered() }
                record.keep(answer, at: ClockOffset(milliseconds: record.clockOffset).platformTime(at: now))
                return record
            }.result
        } catch let error as OrchestrationError where error.code == .userUnknown {
            throw OrchestrationError(.notActivated)
        }
    }

    /// Sends a stored answer. A receipt that verifies ends it on the device, in the write that applies the reply.
    private func send(_ answer: PendingAnswer, by user: AuthenticatedUser) async throws -> ChannelReply {
        try await session(user.record.account).exchange(with: (user.record, user.key)) { record in
            guard record.deviceID == user.record.deviceID else { throw OrchestrationError(.notActivated) }
            return .approvalAnswer(try answer.signed)
        } proof: { record in
            user.proof(of: record)
        } effect: { record, acceptance in
            guard (try? user.receipt(in: acceptance, of: answer, keys: record.platformKeys)) != nil else { return }
            record.dropAnswer(to: answer.id)
        }
    }

    /// Prepares the next attempt after a refusal that keeps the request pending.
    ///
    /// - Throws: ``Unanswered`` after such a refusal.
    private func prepareRetry(
        of answer: inout ApprovalAnswer, after refusal: ChannelRefusal, _ reply: ChannelReply,
        by user: AuthenticatedUser
    ) async throws {
        switch refusal.code {
        case .wrongPassword where answer.method == .password && refusal.remainingTries != 0:
            // The next answer is a new one, with a later time. A user who cancels at the next prompt has decided
            // nothing. Therefore the refused answer is removed.
            answer.earlier = nil
            try await dropAnswer(of: user.record)
            throw Unanswered(events: try answer.inputs.refuse(refusal, after: reply.warnings))
        case .methodUnknown where answer.method.isEnrollable:
            try await dropAnswer(of: user.record)
            if answer.earlier != nil {
                // An answer of an earlier run may be signed by the keys of an earlier enrollment.
                answer.earlier = nil
            } else if let keys = user.plan.keys {
                // The platform was restored, or has ended the registration of these keys. The keys of a later
                // enrollment stay, and the next attempt asks for them.
                try await orchestrator.drop(keys, of: user.record.account, deviceID: user.record.deviceID)
            }
            throw Unanswered(events: reply.warnings.map(FlowEvent.warning))
        default: break
        }
    }

    /// Verifies the receipt, or ends the flow with the refusal.
    ///
    /// - Returns: The last events.
    private func end(
        by reply: ChannelReply, to answer: PendingAnswer, of user: AuthenticatedUser
    ) async throws -> [FlowEvent] {
        var warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted(let acceptance):
            let answered: AnsweredApproval
            do {
                answered = try user.receipt(in: acceptance, of: answer, keys: reply.record.platformKeys)
            } catch {
                // The keys were replaced several times since: the latest statement does not list the key.
                guard error.isAboutUnknownKey else { throw error }
                let (keys, more) = try await session(user.record.account).publishedKeys()
                answered = try user.receipt(in: acceptance, of: answer, keys: keys)
                try await dropAnswer(of: user.record)
                warnings += more.map(FlowEvent.warning)
            }
            let step = FlowStep(kind: Self.kind, number: 2, total: 2, command: reply.command)
            return [.stepCompleted(step)] + warnings + [.succeeded(.approvalAnswered(answered))]
        case .refused(let refusal):
            if !refusal.keepsAnswer { try await dropAnswer(of: user.record) }
            return warnings + refusal.end
        }
    }
}

// The record.
extension ApprovalFlow {
    private func session(_ account: AccountName) -> ChannelSession {
        ChannelSession(account: account, orchestrator: orchestrator)
    }

    private func record(
        of account: AccountName, on deviceID: [UInt8]
    ) async throws -> (record: UserRecord, key: any DeviceKey) {
        guard let opened = try await environment.vault.open(account), opened.record.deviceID == deviceID else {
            throw OrchestrationError(.notActivated)
        }
        return opened
    }

    /// Removes the answer of a device from the store.
    private func dropAnswer(of device: UserRecord) async throws {
        let (id, deviceID) = (id.bytes, device.deviceID)
        do {
            try await environment.vault.update(device.account) { record in
                if record.deviceID == deviceID { record.dropAnswer(to: id) }
            }
        } catch let error as OrchestrationError where error.code == .userUnknown {
            // The user was deleted meanwhile, together with the answer.
        }
    }
}

/// The error of an attempt that has not answered the request. Another attempt follows after the events.
private struct Unanswered: Error {
    var events: [FlowEvent] = []
}

/// An approval request that was fetched and verified, with the device of the user who is asked.
private struct OpenApproval: Sendable {
    let request: ApprovalRequest
    let expiry: Timestamp
    /// The SHA-256 of the request as it was received.
    let digest: [UInt8]
    let deviceID: [UInt8]
    /// The answer of an earlier run.
    let kept: ApprovalAnswer?

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
        expiry = content.expiry
        digest = signed.digest
        deviceID = record.deviceID
        kept = record.pendingAnswer(to: id.bytes).flatMap {
            ApprovalAnswer(repeating: $0, to: signed.digest, of: record.deviceID)
        }
    }
}

/// The answer to a decision, from one attempt to the next.
private struct ApprovalAnswer: Sendable {
    let choice: ApprovalChoice
    private(set) var method: AuthenticationMethod
    private(set) var fallback: FallbackReason?
    /// The signed answer of an earlier run.
    var earlier: PendingAnswer?
    /// The inputs that were refused.
    var inputs = RefusedInputs()

    init(_ choice: ApprovalChoice, to request: ApprovalRequest) {
        self.choice = choice
        let requested = choice.decision == .approved ? request.method : request.rejectionMethod
        method = choice.method ?? requested
        fallback = method == requested ? nil : .chosenByUser
    }

    /// Creates the repetition of an answer from an earlier run.
    ///
    /// - Returns: `nil` for an answer to other bytes, or of another device.
    init?(repeating pending: PendingAnswer, to digest: [UInt8], of deviceID: [UInt8]) {
        guard let content = try? ApprovalAnswerContent(decoding: pending.signed.payload),
            content.requestHash == digest, content.deviceID == deviceID
        else { return nil }
        choice = ApprovalChoice(decision: content.decision, number: content.number, method: content.method)
        method = content.method
        fallback = content.fallback
        earlier = pending
    }

    /// Replaces an enrolled method by the password. The next answer is a new one, which states the reason.
    mutating func fallBack(because reason: FallbackReason, _ warnings: [FlowEvent] = []) -> Unanswered {
        (method, fallback, earlier) = (.password, reason, nil)
        return Unanswered(events: warnings + [.warning(Warning(.fellBackToPassword))])
    }
}

/// A user who has authenticated, with the record and the device key.
private struct AuthenticatedUser: Sendable {
    var record: UserRecord
    let key: any DeviceKey
    let plan: AuthenticationPlan
    /// The keys of the enrolled method.
    var opened: OpenedMethodKey?
    /// The secret that the password unwraps.
    var passwordSecret: SymmetricKey?

    /// Returns the proof for a message, which is made from a later record where it is repeated.
    func proof(of record: UserRecord) -> ChannelProof {
        if let passwordSecret { return ChannelProof(password: passwordSecret, generation: self.record.generation) }
        guard let opened else { return ChannelProof(possessionOf: record) }
        return ChannelProof(plan.method, secret: opened.secret, generation: record.generation)
    }

    /// Verifies the receipt of an answer that this user has given.
    func receipt(
        in acceptance: ChannelReply.Acceptance, of answer: PendingAnswer, keys: some SigningKeySource
    ) throws(OrchestrationError) -> AnsweredApproval {
        try AnsweredApproval(acceptance, to: answer, of: record.account, deviceKey: key.publicKey, keys: keys)
    }
}

extension PendingAnswer {
    fileprivate var signed: Sign1 { get throws { try Sign1(decoding: answer) } }
}

extension ChannelRefusal {
    /// Whether a device that has to wait may still send the answer.
    fileprivate var keepsAnswer: Bool { [.rateLimited, .suspended].contains(code) }
}

extension OrchestrationError {
    /// Whether the latest statement does not list a key of the platform that has signed a receipt.
    fileprivate var isAboutUnknownKey: Bool {
        guard let error = underlying as? ReceiptError else { return false }
        return [.confirmationKeyUnknown, .requestKeyUnknown].contains(error.code)
    }
}

/// The user's decision about an approval request.
struct ApprovalChoice: Sendable, Hashable {
    let decision: ApprovalDecision
    /// The digits that the user typed; `nil` where the request asks for none.
    let number: String?
    /// The method that the app chose; `nil` for the requested one.
    let method: AuthenticationMethod?
}

/// The decision about one approval request: written once by the app, and read by the flow.
///
/// All copies of an ``ApprovalRequest`` share one box.
final class ApprovalDecisionBox: Sendable {
    /// The answer to the request on this device.
    private enum Answer {
        /// The device has not answered, or the outcome of the answer is known.
        case none
        /// The answer was made durable and sent.
        case sent
        /// The call of the app has failed after the answer was sent. The device keeps the answer.
        case left
    }

    private struct State {
        var choice: ApprovalChoice?
        var isClosed = false
        var answer = Answer.none
    }

    private let state = Mutex(State())

    /// Records the decision.
    ///
    /// - Throws: `alreadyDecided` when there is one, and after the end of the flow.
    func decide(_ choice: ApprovalChoice) throws(OrchestrationError) {
        let isRecorded = state.withLock { state in
            guard state.choice == nil, !state.isClosed else { return false }
            state.choice = choice
            return true
        }
        guard isRecorded else { throw OrchestrationError(.alreadyDecided) }
    }

    /// Returns the decision, and refuses any later one.
    ///
    /// - Returns: `nil` when there is none.
    func close() -> ApprovalChoice? {
        state.withLock { state in
            state.isClosed = true
            return state.choice
        }
    }

    /// Sets whether an answer was sent whose outcome is not known.
    func noteAnswer(isSent: Bool) { state.withLock { $0.answer = isSent ? .sent : .none } }

    /// Notes that the call of the app has failed.
    ///
    /// - Returns: Whether the failed call leaves an answer on the device.
    func noteFailure() -> Bool {
        state.withLock { state in
            if state.answer == .sent { state.answer = .left }
            return state.answer == .left
        }
    }

    /// Whether the call of the app has failed and has left its answer on the device.
    var hasLeftAnswer: Bool { state.withLock { $0.answer == .left } }
}
