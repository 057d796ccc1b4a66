internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of a one-time password, and of a signature.
///
/// The order is: ask, reserve the counter durably, make the code, report it, move the ratchet. The code never waits for
/// the network, and the ratchet moves as soon as the code was reported.
final class LocalCodeFlow<Parameters: LocalCodeParameters>: Flow, StepFlow {
    static var kind: FlowKind { Parameters.flowKind }

    private enum State {
        case checking
        case making(Making)
        case synchronizing(Parameters.Code, Making)
    }

    private let parameters: Parameters
    private let data: LocalCode.Data
    private let account: AccountName
    private let orchestrator: Orchestrator
    private var state = State.checking

    /// The reason why the input before was refused.
    private var rejection: InputRejection?
    private var refusedInputs = 0

    private var environment: FlowEnvironment { orchestrator.environment }

    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) throws(OrchestrationError) {
        self.parameters = parameters
        data = try parameters.data()
        self.account = account
        self.orchestrator = orchestrator
    }

    func step() async throws -> [FlowEvent] {
        switch state {
        case .checking: try await check()
        case .making(let making): try await make(making)
        case .synchronizing(let result, let making): try await synchronize(result, making)
        }
    }

    /// Plans how the user authenticates. It is repeated when the enrollment has changed.
    private func check() async throws -> [FlowEvent] {
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        _ = try record.application(parameters.applicationIndex, over: data)
        let plan = try await environment.plan(for: parameters.protection, of: record)
        state = .making(Making(record: record, key: key, plan: plan))
        return plan.fallback == nil ? [] : [.warning(Warning(.fellBackToPassword))]
    }

    /// Asks the user for the check of an enrolled method.
    ///
    /// - Returns: The secret of the method; or the events of a step that ends without a code.
    private func check(
        _ keys: AuthenticationPlan.MethodKeys, _ making: Making
    ) async throws -> (secret: SymmetricKey?, events: [FlowEvent]) {
        switch try await environment.check(keys, of: account, dataFields: data.fields) {
        case .opened(let opened): return (opened.secret, [])
        case .aborted: return (nil, [.aborted(.canceled)])
        case .expired: throw OrchestrationError(.internal)
        case .fallsBack(let reason): return (nil, fallBack(making, reason))
        case .notLiving: return (nil, [.warning(Warning(.livenessFailed))] + fallBack(making, .failed))
        case .invalidated:
            try await orchestrator.dropInvalidated(keys, of: account, deviceID: making.record.deviceID)
            return (nil, try await check())
        }
    }

    /// Goes on with the password in place of an enrolled method.
    private func fallBack(_ making: Making, _ reason: FallbackReason) -> [FlowEvent] {
        var making = making
        making.plan = .password(because: reason)
        state = .making(making)
        return [.warning(Warning(.fellBackToPassword))]
    }

    private func make(_ making: Making) async throws -> [FlowEvent] {
        let (asked, key, plan) = (making.record, making.key, making.plan)
        var password: SecretBox<Password>?
        var methodSecret: SymmetricKey?
        if let keys = plan.keys {
            let result = try await check(keys, making)
            guard let secret = result.secret else { return result.events }
            methodSecret = secret
        } else if plan.method == .password {
            password = try await environment.password(
                of: account, for: .authenticate, rejection: rejection, dataFields: data.fields,
                policy: asked.pinPolicy)
            if password == nil { return [.aborted(.canceled)] }
        }
        // One atomic step takes the counter, the ratchet and the wrapped secret together, so that the code belongs to
        // one state of the record, and the counter is durable before a code exists. Another activation may have
        // replaced the device during the prompt, with other applications and another policy; then the vault fetches its
        // key.
        let change: (result: Reservation, key: any DeviceKey)
        do {
            change = try await environment.vault.update(account, expecting: key) {
                [parameters, data, password] record in
                try record.requireActive()
                // After a change of the password during the prompt, the input may be the earlier one.
                guard password == nil || record.deviceID != asked.deviceID || record.generation == asked.generation
                else { throw OrchestrationError(.passwordChanged) }
                // After another enrollment during the check, the platform may not know the secret any more.
                guard plan.isPresent(in: record) else { throw EnrollmentChanged() }
                try password?.secret.requireForm(under: record.pinPolicy)
                let application = try record.application(parameters.applicationIndex, over: data)
                return Reservation(
                    counter: try record.takeCounter(of: application), application: application, record: record)
            }
        } catch let other as OtherForm {
            return reject(other)
        } catch is EnrollmentChanged {
            return try await check()
        }
        let reservation = change.result
        let secret: SymmetricKey
        if let password {
            secret = try await reservation.record.passwordInstance(password.secret, key: change.key)
        } else {
            secret = methodSecret ?? reservation.record.possessionSecret
        }
        let code = try reservation.code(secret: secret, method: plan.method, over: data, at: environment.time.now())
        let result = parameters.result(of: code, over: data)
        state = .synchronizing(result, making)
        environment.logger.debug("code made", metadata: ["application.index": "\(reservation.application.index)"])
        return [Parameters.ready(result)]
    }

    /// Reports an input whose form differs from that of the password. The next step asks again, at most as often as the
    /// policy allows tries: a provider without a person, such as a file descriptor, may return the same input each
    /// time.
    private func reject(_ input: OtherForm) -> [FlowEvent] {
        refusedInputs += 1
        rejection = .unsuitable(input.fault)
        let event = FlowEvent.inputRejected(.unsuitable(input.fault))
        return refusedInputs < input.policy.tries ? [event] : [event, .aborted(.inputRejectedTooOften)]
    }

    private func synchronize(_ result: Parameters.Code, _ making: Making) async throws -> [FlowEvent] {
        let success = FlowEvent.succeeded(Parameters.outcome(result))
        guard let limit = parameters.synchronizationLimit else { return [success] }
        let reply: ChannelReply?
        do {
            reply = try await exchangeCounters(within: limit)
        } catch {
            guard let error = OrchestrationError.leavingTheSDK(error) as? OrchestrationError else { throw error }
            return [.warning(Warning(.notSynchronized, cause: error)), success]
        }
        guard let reply else { return [.warning(Warning(.notSynchronized)), success] }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted:
            let step = FlowStep(kind: .synchronization, number: 1, total: 1, command: reply.command)
            let events = [FlowEvent.stepCompleted(step)] + warnings
            guard !making.plan.isPresent(in: reply.record) else { return events + [success] }
            // The platform does not know the keys that have made the code, so that it is wrong. Another one follows.
            var making = making
            making.record = reply.record
            return events + fallBack(making, .notEnrolled)
        case .refused(let refusal) where refusal.refusesCodes: return warnings + refusal.end
        case .refused(let refusal):
            let warning = Warning(.notSynchronized, cause: refusal.error)
            return warnings + [.warning(warning), success]
        }
    }

    /// Moves the ratchet and exchanges counters: with one request, and with a second one when the answer has brought a
    /// clock candidate.
    ///
    /// - Returns: The reply, or `nil` when there was none in time.
    private func exchangeCounters(within limit: Duration) async throws -> ChannelReply? {
        let begin = environment.time.uptime()
        guard let first = try await synchronize(within: limit) else { return nil }
        guard case .accepted(let acceptance) = first.result, acceptance.offset.candidate != nil else { return first }
        // The first answer has moved the ratchet and has cleared the platform's count of failed codes. It counts, also
        // when the second request fails.
        let left = limit - (environment.time.uptime() - begin)
        guard left > .zero else { return first }
        let second: ChannelReply?
        do {
            second = try await synchronize(within: left)
        } catch {
            guard OrchestrationError.leavingTheSDK(error) is OrchestrationError else { throw error }
            return first
        }
        switch second?.result {
        case .accepted: return second?.reporting(failedCodesOf: first)
        case .refused(let refusal) where refusal.refusesCodes: return second?.reporting(failedCodesOf: first)
        case .refused, nil: return first
        }
    }

    /// Sends one `synchronize` request.
    ///
    /// - Returns: The reply, or `nil` when there was none in time.
    private func synchronize(within limit: Duration) async throws -> ChannelReply? {
        let session = ChannelSession(account: account, orchestrator: orchestrator)
        let time = environment.time
        return try await withThrowingTaskGroup(of: ChannelReply?.self) { group in
            group.addTask { try await session.synchronize() }
            group.addTask {
                try await time.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

/// What a code is made from.
private struct Making: Sendable {
    var record: UserRecord
    let key: any DeviceKey
    var plan: AuthenticationPlan
}

/// The record does not name the keys any more that a check has released.
private struct EnrollmentChanged: Error {}

/// The values of the record that a code is made from, with the counter that no other code gets; `nil` for a time-based
/// code.
private struct Reservation: Sendable {
    let counter: UInt64?
    let application: CryptoApplication
    let record: UserRecord

    func code(
        secret: SymmetricKey, method: AuthenticationMethod, over data: LocalCode.Data, at now: Timestamp
    ) throws -> LocalCode {
        let codes = CodeMaker(record: record, application: application, data: data)
        let platformTime = ClockOffset(milliseconds: record.clockOffset).platformTime(at: now)
        return try codes.make(secret: secret, method: method, counter: counter, now: platformTime)
    }
}

/// An input of another form than the password has. It cannot be the password, and a code from it would cost a try.
private struct OtherForm: Error {
    let fault: PasswordFault
    let policy: PINPolicy
}

extension Password {
    fileprivate func requireForm(under policy: PINPolicy) throws(OtherForm) {
        if let fault = formFault(under: policy) { throw OtherForm(fault: fault, policy: policy) }
    }
}

extension ChannelRefusal {
    /// Whether the platform says under its seal that codes of this device are not accepted.
    fileprivate var refusesCodes: Bool {
        [.cloneSuspected, .revoked, .userLocked, .suspended].contains(error.code)
    }
}

extension ChannelReply {
    /// Returns the reply with the failed codes of an earlier one, which the platform does not report again.
    fileprivate func reporting(failedCodesOf earlier: ChannelReply) -> ChannelReply {
        let failedCodes = earlier.warnings.filter { $0.code.count != nil }
        return ChannelReply(
            result: result, record: record, command: command, warnings: failedCodes + warnings, statements: statements)
    }
}
